import type { CaseKind, CaseOutcome, OutcomeDetail, WaitReason } from "../../database/tables/bot.ts";
import type { ErrorCode } from "../../errors.ts";
import { describeTime } from "../../text/message-text.ts";
import { showNumber } from "../../text/numbered.ts";

/* A case's outcome is stored as a code with the data for its sentence. The sentences are here; no code compares them. */

/** A code with its data, as stored in `castellan.cases`. */
export interface StoredOutcome {
  outcome: CaseOutcome;
  outcome_detail?: OutcomeDetail;
}

/** The columns needed for a sentence. */
export interface DescribedOutcome {
  kind: CaseKind;
  notify: boolean;
  outcome: CaseOutcome | null;
  outcomeDetail: OutcomeDetail | null;
  waitingReason: WaitReason | null;
}

/** The outcome of a case, or the reason for its wait, as a sentence; null if there is none yet. */
export function describeOutcome(subject: DescribedOutcome): string | null {
  const { outcome, waitingReason } = subject;
  if (outcome !== null) return sentences[outcome](subject.outcomeDetail ?? {}, subject);
  return waitingReason === null ? null : waiting[waitingReason];
}

/** Consequences of a ban that lifting it does not undo; `lost` is what this user has. */
export function describeAfterBan(lost = "roles and invites"): string {
  return `Lifting the ban does not bring back ${lost}: the user stays restricted until somebody invites them.`;
}

export const lastsAfterBan = describeAfterBan();

const done: Record<CaseKind, string> = {
  ban: `Banned: while the ban lasts, all their replies are hidden, including new ones. A ban does not hide their other casts. ${lastsAfterBan}`,
  unban: "Unbanned: the replies show again. The user stays restricted until somebody invites them.",
  change_expiry: "The ban's expiry was changed.",
  invite: "Invited. The user holds the role once they accept.",
  revoke_invite: "Invite revoked. The user can still join by a link.",
  remove_member: "Removed. The user is restricted: only a new invite brings them back.",
  hide: "Hidden.",
  unhide: "Shown again.",
  pin: "Pinned.",
  unpin: "Unpinned. An announcement that went out stays.",
};

const already: Record<CaseKind, string> = {
  ban: "The user was already banned.",
  unban: "The user was not banned.",
  change_expiry: "The ban already had this expiry.",
  invite: "The user already holds the role or an invite.",
  revoke_invite: "There was no outstanding invite.",
  remove_member: "The user was not a member.",
  hide: "The cast was already hidden.",
  unhide: "The cast was not hidden.",
  pin: "The cast was already pinned, so nobody was notified.",
  unpin: "Nothing was pinned.",
};

const sentences: Record<CaseOutcome, (detail: OutcomeDetail, subject: DescribedOutcome) => string> = {
  done: (_, { kind, notify }) =>
    kind === "pin" && notify ? "Pinned, and every follower was notified: that cannot be undone." : done[kind],
  already: (_, { kind }) => already[kind],
  removed_member: () =>
    "The user had accepted it a moment before: the network removed and restricted them. /invite member brings them back.",
  banned_again: () => "The ban was lifted. Somebody has banned the user again since.",
  end_changed: ({ untilMs, beforeMs }) =>
    `The ban lasts ${describeEnd(untilMs)}; before, ${describeEnd(beforeMs)}.`,
  end_unchanged: ({ untilMs }) => `Nothing was changed: ${describeEnd(untilMs)} as before.`,
  not_banned: () => "Nothing was changed: the user is no longer banned.",
  banned_longer: ({ caseNumber }) => `Not lifted: ${nameHolder(caseNumber)} bans the user for longer.`,
  done_by_another: ({ caseNumber, kind }) => `Not undone: ${standsBy(nameHolder(caseNumber), kind)}.`,
  nothing_to_undo: ({ caseNumber }) => `Not undone: ${nameHolder(caseNumber)} changed nothing.`,
  server_left: () => "Not done: Castellan was removed from the server before it went out.",
  rules_paused: () => "Not done: rules were paused before it went out.",
  bulk_stopped: () => "Not done: the bulk was stopped before it went out.",
  link_removed: () => "Not done: the server was no longer linked to the channel when its turn came.",
  link_suspended: () => "Not done: the link to the channel was suspended when its turn came.",
  changed_since: () =>
    "The network did not respond, and somebody has changed this since. Castellan will not repeat it: check the channel.",
  no_response: ({ minutes }) =>
    `The network could not be reached for ${minutes} minutes, so Castellan gave up. Check the channel before trying again.`,
  refused: ({ code, message }) => refusals[code ?? ""] ?? `The network refused: ${message}`,
  limit_reached: ({ minutes }) =>
    `The channel's budget for this is used up. It is free again in about ${minutes} min.`,
  other: ({ message }) => message ?? "",
};

const waiting: Record<WaitReason, string> = {
  limit: "The budget is used up.",
  response: "The network did not respond. Castellan will check whether it happened, and try again if not.",
};

/** Explains the network's rejections to a moderator; other codes keep the network's own text. */
const refusals: Partial<Record<string, string>> = {
  not_permitted: "The network does not let Castellan do this. Does it still moderate the channel?",
  not_owner: "Only the channel's owner may do this.",
  cannot_ban_owner: "The owner of a channel cannot be banned.",
  cannot_ban_moderator: "Only the owner can ban a moderator.",
  cannot_remove_owner: "The owner of a channel cannot be removed.",
  banned_from_channel: "The user is banned from the channel: lift the ban first.",
  invitee_not_following:
    "The user follows neither the channel nor Castellan's account, and an invite needs one of the two.",
  invitee_not_member: "Only a member can become a moderator.",
  too_many_moderators:
    "The channel already has ten moderators, including pending invites. That is the limit.",
  cast_not_in_channel: "The cast is not in a channel that Castellan moderates.",
  not_found: "The network has no such channel or cast. The cast may have been removed.",
  invalid_auth_token: "The network does not accept Castellan's key. The operator has to renew it.",
} satisfies Partial<Record<ErrorCode, string>>;

/** Why a case cannot be undone if `holder` did the same; with the command that ends both. */
export function standsBy(holder: string, kind: CaseKind | null | undefined): string {
  const command = kind && endsAll[kind];
  return `${holder} did the same and is still in force${command ? ` (${command})` : ""}`;
}

const endsAll: Partial<Record<CaseKind, string>> = {
  ban: "/undo with the person lifts the ban, no matter who set it",
  hide: "/undo with the cast shows it again, no matter who hid it",
};

/** Other servers' numbers mean nothing here, so they are not stored. */
function nameHolder(caseNumber: number | null | undefined): string {
  return caseNumber == null ? "another server" : `case ${showNumber("case", caseNumber)}`;
}

function describeEnd(untilMs: number | null | undefined): string {
  return untilMs == null ? "for good" : `until ${describeTime(untilMs / 1000, "f")}`;
}
