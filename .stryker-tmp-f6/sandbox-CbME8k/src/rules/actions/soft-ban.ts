// @ts-nocheck
import { z } from "zod";
import { atAuthor, type ActionKind } from "../decide/action.ts";
import { userEvents } from "../evaluate/occurrence.ts";

/** A ban whose time is over at once: it leaves the author restricted, with roles and invites gone. */
export const softBan: ActionKind = {
  name: "soft_ban",
  events: userEvents,
  schema: z
    .strictObject({ reason: z.string().trim().min(1).max(300).optional() })
    .transform(({ reason }) => ({
      sentence: `restrict the author by ban and unban${reason ? ` (${reason})` : ""}`,
      aim: atAuthor((fid) => ({ kind: "ban", fid, reason: reason ?? null, forSeconds: 0 })),
    })),
};
