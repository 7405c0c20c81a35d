import type { ErrorCode } from "../errors.ts";
import type { Case, CaseKind } from "./case.ts";

const done: Record<CaseKind, string> = {
  ban: "Banned: the user can no longer reply, and the replies so far are hidden.",
  unban: "Unbanned: the replies show again. The user stays restricted until somebody invites them.",
  invite: "Invited. The user holds the role once they accept.",
  revoke_invite: "The invite is taken back. The user may still join by a link.",
  remove_member: "Removed. The user is restricted: only a new invite brings them back.",
  hide: "Hidden.",
  unhide: "Shown again.",
  pin: "Pinned.",
  unpin: "Unpinned. An announcement that went out stays.",
};

const already: Record<CaseKind, string> = {
  ban: "The user was banned already.",
  unban: "The user was not banned.",
  invite: "The user holds the role or an invite already.",
  revoke_invite: "There was no outstanding invite.",
  remove_member: "The user was no member.",
  hide: "The cast was hidden already.",
  unhide: "The cast was not hidden.",
  pin: "The cast was pinned already; nobody was notified.",
  unpin: "Nothing was pinned.",
};

/** What the network's refusals mean to a moderator; other codes keep the network's own words. */
const refusals: Partial<Record<ErrorCode, string>> = {
  not_permitted: "The network does not let Castellan do this. Does it still moderate the channel?",
  not_owner: "Only the channel's owner may do this.",
  cannot_ban_owner: "The owner of a channel cannot be banned.",
  cannot_ban_moderator: "Only the owner can ban a moderator.",
  cannot_remove_owner: "The owner of a channel cannot be removed.",
  banned_from_channel: "The user is banned from the channel: lift the ban first.",
  invitee_not_following:
    "The user follows neither the channel nor Castellan's account, which an invite needs.",
  invitee_not_member: "Only a member can become moderator.",
  too_many_moderators: "The channel has ten moderators, invites included. That is the most it can have.",
  cast_not_in_channel: "The cast is in no channel that Castellan moderates.",
  not_found: "The network knows no such channel or cast. The cast may have been removed.",
  invalid_auth_token: "The network does not accept Castellan's key. The operator has to renew it.",
};

export function answerDone(subject: Pick<Case, "kind" | "notify">): string {
  if (subject.kind === "pin" && subject.notify) return "Pinned, and every follower was notified.";
  return done[subject.kind];
}

export function answerAlready(kind: CaseKind): string {
  return already[kind];
}

/** Why the network refused, in words that a moderator can act on. */
export function answerRefused(code: ErrorCode, message: string, retryAfter: number | undefined): string {
  if (code === "rate_limited") {
    const minutes = Math.max(1, Math.ceil((retryAfter ?? 60) / 60));
    return `The channel's budget for this is used up. It is free again in about ${minutes} min.`;
  }
  return refusals[code] ?? `The network refused: ${message}`;
}
