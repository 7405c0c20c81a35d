import type { CaseKind, CaseOutcome, OutcomeDetail, WaitReason } from "../../database/tables/bot.ts";
import type { ErrorCode } from "../../errors.ts";
import { describeTime } from "../../text/message-text.ts";
import { showNumber } from "../../text/numbered.ts";

/*
 * What became of a case is stored as a code with the data that its sentence needs. Here are the sentences; no code
 * compares them.
 */

/** A code with its data, as `castellan.cases` stores them. */
export interface StoredOutcome {
  outcome: CaseOutcome;
  outcome_detail?: OutcomeDetail;
}

/** The columns that a sentence is made of. */
export interface DescribedOutcome {
  kind: CaseKind;
  notify: boolean;
  outcome: CaseOutcome | null;
  outcomeDetail: OutcomeDetail | null;
  waitingReason: WaitReason | null;
}

/** What became of a case, or what it waits for, as a sentence for people; null where there is nothing to say yet. */
export function describeOutcome(subject: DescribedOutcome): string | null {
  const { outcome, waitingReason } = subject;
  if (outcome !== null) return sentences[outcome](subject.outcomeDetail ?? {}, subject);
  return waitingReason === null ? null : waiting[waitingReason];
}

/** What lifting a ban does not undo. */
export const lastsAfterBan =
  "Lifting the ban does not bring back roles and invites: the user stays restricted until invited again.";

const done: Record<CaseKind, string> = {
  ban: `Banned: while that lasts, replies are hidden, those so far and new ones. A ban hides no other casts of theirs. ${lastsAfterBan}`,
  unban: "Unbanned: the replies show again. The user stays restricted until somebody invites them.",
  change_expiry: "The ban has another end.",
  invite: "Invited. The user holds the role once they accept.",
  revoke_invite: "Invite revoked. The user can still join by a link.",
  remove_member: "Removed. The user is restricted: only a new invite brings them back.",
  hide: "Hidden.",
  unhide: "Shown again.",
  pin: "Pinned.",
  unpin: "Unpinned. An announcement that went out stays.",
};

const already: Record<CaseKind, string> = {
  ban: "The user was banned already.",
  unban: "The user was not banned.",
  change_expiry: "The ban ended just then before.",
  invite: "The user already holds the role or an invite.",
  revoke_invite: "There was no outstanding invite.",
  remove_member: "The user was not a member.",
  hide: "The cast was hidden already.",
  unhide: "The cast was not hidden.",
  pin: "The cast was pinned already; nobody was notified.",
  unpin: "Nothing was pinned.",
};

const sentences: Record<CaseOutcome, (detail: OutcomeDetail, subject: DescribedOutcome) => string> = {
  done: (_, { kind, notify }) =>
    kind === "pin" && notify
      ? "Pinned, and every follower was notified: that cannot be taken back."
      : done[kind],
  already: (_, { kind }) => already[kind],
  removed_member: () =>
    "The user had accepted it a moment before: the network removed and restricted them. /invite member brings them back.",
  banned_again: () => "The ban was lifted. Somebody has banned the user again since.",
  end_changed: ({ untilMs, beforeMs }) =>
    `The ban lasts ${describeEnd(untilMs)}; before, ${describeEnd(beforeMs)}.`,
  end_unchanged: ({ untilMs }) => `Nothing was changed: ${describeEnd(untilMs)} as before.`,
  not_banned: () => "Nothing was changed: the user is not banned any more.",
  banned_longer: ({ caseNumber }) => `Not lifted: ${nameHolder(caseNumber)} bans the user for longer.`,
  done_by_another: ({ caseNumber, kind }) => `Not undone: ${standsBy(nameHolder(caseNumber), kind)}.`,
  nothing_to_undo: ({ caseNumber }) => `Not undone: ${nameHolder(caseNumber)} changed nothing.`,
  server_left: () => "Not done: Castellan was removed from the server before it went out.",
  rules_paused: () => "Not done: rules were paused before it went out.",
  bulk_stopped: () => "Not done: the bulk was stopped before it went out.",
  link_removed: () => "Not done: the server was no longer linked to the channel when its turn came.",
  link_suspended: () => "Not done: the link to the channel was suspended when its turn came.",
  changed_since: () =>
    "The network did not answer, and somebody has changed this since. Castellan will not repeat it: check the channel.",
  no_response: ({ minutes }) =>
    `The network could not be reached for ${minutes} minutes, so Castellan gave up. Check the channel before trying again.`,
  refused: ({ code, message }) => refusals[code ?? ""] ?? `The network refused: ${message}`,
  limit_reached: ({ minutes }) =>
    `The channel's budget for this is used up. It is free again in about ${minutes} min.`,
  other: ({ message }) => message ?? "",
};

const waiting: Record<WaitReason, string> = {
  limit: "The budget is used up.",
  response: "The network did not answer. Castellan will check whether it happened, and try again if not.",
};

/** What the network's refusals mean to a moderator; other codes keep the network's own words. */
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
  too_many_moderators: "The channel has ten moderators, invites included. That is the most it can have.",
  cast_not_in_channel: "The cast is in no channel that Castellan moderates.",
  not_found: "The network knows no such channel or cast. The cast may have been removed.",
  invalid_auth_token: "The network does not accept Castellan's key. The operator has to renew it.",
} satisfies Partial<Record<ErrorCode, string>>;

/** Why a case cannot be taken back where `holder` did the same; with the command that ends it whoever did it. */
export function standsBy(holder: string, kind: CaseKind | null | undefined): string {
  const command = kind && endsAll[kind];
  return `${holder} did the same, and that stands${command ? ` (${command})` : ""}`;
}

const endsAll: Partial<Record<CaseKind, string>> = {
  ban: "/undo with the person lifts the ban, whoever banned",
  hide: "/undo with the cast shows it again, whoever hid it",
};

/** Numbers of other servers say nothing here: they are not stored. */
function nameHolder(caseNumber: number | null | undefined): string {
  return caseNumber == null ? "another server" : `case ${showNumber("case", caseNumber)}`;
}

function describeEnd(untilMs: number | null | undefined): string {
  return untilMs == null ? "for good" : `until ${describeTime(untilMs / 1000, "f")}`;
}
