// @ts-nocheck
import type { Selectable } from "kysely";
import type { CaseKind, CaseTable } from "../database/tables/bot.ts";

export type { CaseKind, CaseState } from "../database/tables/bot.ts";

/** One action: by a person, a rule, or from outside. */
export type Case = Selectable<CaseTable>;

/** What a case acts on: a user, a cast, or whatever the channel has pinned. */
export interface Target {
  channelId: string;
  kind: CaseKind;
  targetFid?: number | undefined;
  targetCast?: string | undefined;
}

/** Cases of one lane are applied one after the other, oldest first, so that the later one sees the earlier one's effect. */
export function laneOf({ channelId, kind, targetFid, targetCast }: Target): string {
  if (kind === "pin" || kind === "unpin") return `${channelId} pin`;
  return targetFid === undefined ? `${channelId} ${targetCast}` : `${channelId} ${targetFid}`;
}

/** States in which a case has its effect on the network, as far as we know. */
export const inForce = ["applied", "already", "outside"] as const;

/** Cases of these kinds end what the others began. */
export const endedBy: Partial<Record<CaseKind, readonly CaseKind[]>> = {
  unban: ["ban"],
  unhide: ["hide"],
  hide: ["unhide"],
  pin: ["pin", "unpin"],
  unpin: ["pin"],
  revoke_invite: ["invite"],
  remove_member: ["invite"],
};
