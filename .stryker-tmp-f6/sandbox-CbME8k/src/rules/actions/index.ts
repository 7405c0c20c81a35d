// @ts-nocheck
import type { ActionKind } from "../decide/action.ts";
import { alert } from "./alert.ts";
import { ban } from "./ban.ts";
import { hide } from "./hide.ts";
import { invite } from "./invite.ts";
import { note } from "./note.ts";
import { pin } from "./pin.ts";
import { post } from "./post.ts";
import { removeMember } from "./remove-member.ts";
import { review } from "./review.ts";
import { softBan } from "./soft-ban.ts";
import { strike } from "./strike.ts";
import { unban } from "./unban.ts";
import { unhide } from "./unhide.ts";
import { unpin } from "./unpin.ts";

/** What rules can do. */
export const actionKinds: readonly ActionKind[] = [
  hide,
  unhide,
  ban,
  unban,
  softBan,
  removeMember,
  invite,
  pin,
  unpin,
  strike,
  note,
  review,
  alert,
  post,
];
