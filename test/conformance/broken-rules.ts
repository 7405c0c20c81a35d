import type { Replacement } from "../support/broken-copy.ts";

/** A rule of the interface, broken by one change of one file of src/api. */
export interface BrokenRule extends Replacement {
  rule: string;
  /** The file of test/interface whose rows must turn red. */
  rows: string;
}

export const brokenRules: BrokenRule[] = [
  {
    rule: "At most ten moderators, invites included",
    file: "src/api/domain/membership.ts",
    from: "export const maxModerators = 10;",
    to: "export const maxModerators = 11;",
    rows: "invite-rules",
  },
  {
    rule: "An invitee follows the channel or the caller",
    file: "src/api/domain/membership.ts",
    from: "if (next !== invitee && !isFollowing) {",
    to: "if (next === undefined && !isFollowing) {",
    rows: "invite-rules",
  },
  {
    rule: "A removed member is restricted",
    file: "src/api/domain/membership.ts",
    from: 'member: "restricted",\n    nominated: "restricted",',
    to: 'member: "stranger",\n    nominated: "restricted",',
    rows: "channel-role",
  },
  {
    rule: "Who is unbanned is restricted",
    file: "src/api/domain/membership.ts",
    from: 'unban: { banned: "restricted"',
    to: 'unban: { banned: "stranger"',
    rows: "channel-ban",
  },
  {
    rule: "A moderator is banned by the owner only",
    file: "src/api/domain/membership.ts",
    from: 'if (callerRole !== "owner" && roleIn(target.state) === "moderator") {',
    to: 'if (callerRole === undefined && roleIn(target.state) === "moderator") {',
    rows: "channel-ban",
  },
  {
    rule: "A hundred invites and removals an hour",
    file: "src/contract/membership.ts",
    from: "export const inviteCallLimit = 100;",
    to: "export const inviteCallLimit = 101;",
    rows: "call-limit",
  },
  {
    rule: "Pinning the pinned cast announces nothing",
    file: "src/api/operations/casts.ts",
    from: "if (channel.pinned_cast_hash === castHash) return { success: true };",
    to: "if (channel.id === castHash) return { success: true };",
    rows: "pinned-cast",
  },
  {
    rule: "A name claim is used once",
    file: "src/api/domain/name-transfer.ts",
    from: "if (claimed) throw",
    to: "if (claimed && to === -1) throw",
    rows: "name-transfer",
  },
  {
    rule: "Nobody takes a name without its holder's consent",
    file: "src/api/domain/name-transfer.ts",
    from: "const isTaking = from !== 0 && fid !== from;",
    to: "const isTaking = from !== 0 && fid !== from && fid < 0;",
    rows: "name-transfer",
  },
  {
    rule: "An expired token proves nothing",
    file: "src/api/domain/token.ts",
    from: 'if (isExpired(exp, now)) throw refuseToken("is expired");',
    to: 'if (isExpired(exp, 0)) throw refuseToken("is expired");',
    rows: "bearer-token",
  },
];
