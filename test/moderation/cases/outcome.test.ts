import { expect, test } from "vitest";
import type { CaseKind, CaseOutcome, OutcomeDetail } from "../../../src/database/tables/bot.ts";
import { describeOutcome, writeOutcome } from "../../../src/moderation/cases/outcome.ts";

/** Every sentence about a case, byte for byte. */
interface Sentence {
  kind: CaseKind;
  outcome: CaseOutcome;
  detail?: OutcomeDetail;
  says: string;
  notify?: boolean;
}

const stays =
  "Lifting the ban does not bring back roles and invites: the user stays restricted until somebody invites them.";
const refused = (code: string, says: string): Sentence => ({
  kind: "ban",
  outcome: "refused",
  detail: { code },
  says,
});

const sentences: Sentence[] = [
  {
    kind: "ban",
    outcome: "done",
    says: `Banned: while the ban lasts, all their replies are hidden, including new ones. A ban does not hide their other casts. ${stays}`,
  },
  {
    kind: "unban",
    outcome: "done",
    says: "Unbanned: the replies show again. The user stays restricted until somebody invites them.",
  },
  { kind: "change_expiry", outcome: "done", says: "The ban's expiry was changed." },
  { kind: "invite", outcome: "done", says: "Invited. The user holds the role once they accept." },
  { kind: "revoke_invite", outcome: "done", says: "Invite revoked. The user can still join by a link." },
  {
    kind: "remove_member",
    outcome: "done",
    says: "Removed. The user is restricted: only a new invite brings them back.",
  },
  { kind: "hide", outcome: "done", says: "Hidden." },
  { kind: "unhide", outcome: "done", says: "Shown again." },
  { kind: "pin", outcome: "done", says: "Pinned." },
  {
    kind: "pin",
    outcome: "done",
    notify: true,
    says: "Pinned, and every follower was notified: that cannot be undone.",
  },
  { kind: "unpin", outcome: "done", says: "Unpinned. An announcement that went out stays." },
  { kind: "ban", outcome: "already", says: "The user was already banned." },
  { kind: "unban", outcome: "already", says: "The user was not banned." },
  { kind: "change_expiry", outcome: "already", says: "The ban already had this expiry." },
  { kind: "invite", outcome: "already", says: "The user already holds the role or an invite." },
  { kind: "revoke_invite", outcome: "already", says: "There was no outstanding invite." },
  { kind: "remove_member", outcome: "already", says: "The user was not a member." },
  { kind: "hide", outcome: "already", says: "The cast was already hidden." },
  { kind: "unhide", outcome: "already", says: "The cast was not hidden." },
  { kind: "pin", outcome: "already", says: "The cast was already pinned, so nobody was notified." },
  { kind: "unpin", outcome: "already", says: "Nothing was pinned." },
  {
    kind: "revoke_invite",
    outcome: "removed_member",
    says: "The user had accepted it a moment before: the network removed and restricted them. /invite brings them back.",
  },
  {
    kind: "unban",
    outcome: "banned_again",
    says: "The ban was lifted. Somebody has banned the user again since.",
  },
  {
    kind: "change_expiry",
    outcome: "end_changed",
    detail: { untilMs: null, beforeMs: 1_700_003_600_000 },
    says: "The ban lasts permanently; before, until <t:1700003600:f>.",
  },
  {
    kind: "change_expiry",
    outcome: "end_changed",
    detail: { untilMs: 1_700_003_600_000, beforeMs: null },
    says: "The ban lasts until <t:1700003600:f>; before, permanently.",
  },
  {
    kind: "change_expiry",
    outcome: "end_changed",
    detail: { untilMs: 1_700_007_200_000, beforeMs: 1_700_003_600_000 },
    says: "The ban lasts until <t:1700007200:f>; before, until <t:1700003600:f>.",
  },
  {
    kind: "change_expiry",
    outcome: "end_unchanged",
    detail: { untilMs: null },
    says: "Nothing was changed: permanently as before.",
  },
  {
    kind: "change_expiry",
    outcome: "end_unchanged",
    detail: { untilMs: 1_700_003_600_000 },
    says: "Nothing was changed: until <t:1700003600:f> as before.",
  },
  {
    kind: "change_expiry",
    outcome: "not_banned",
    says: "Nothing was changed: the user is no longer banned.",
  },
  {
    kind: "unban",
    outcome: "banned_longer",
    detail: { caseNumber: 3 },
    says: "Not lifted: case C-3 bans the user for longer.",
  },
  {
    kind: "unban",
    outcome: "done_by_another",
    detail: { caseNumber: 12, kind: "ban" },
    says: "Not undone: case C-12 did the same, and that is still in force (/undo with the person lifts the ban, no matter who set it).",
  },
  {
    kind: "unhide",
    outcome: "done_by_another",
    detail: { caseNumber: null, kind: "hide" },
    says: "Not undone: another server did the same, and that is still in force (/undo with the cast shows it again, no matter who hid it).",
  },
  {
    kind: "unpin",
    outcome: "done_by_another",
    detail: { caseNumber: 4, kind: "pin" },
    says: "Not undone: case C-4 did the same, and that is still in force.",
  },
  {
    kind: "ban",
    outcome: "server_left",
    says: "Not done: Castellan was removed from the server before it went out.",
  },
  { kind: "ban", outcome: "rules_paused", says: "Not done: rules were paused before it went out." },
  { kind: "hide", outcome: "bulk_stopped", says: "Not done: the bulk was stopped before it went out." },
  {
    kind: "hide",
    outcome: "link_removed",
    says: "Not done: the server was no longer linked to the channel when its turn came.",
  },
  {
    kind: "hide",
    outcome: "link_suspended",
    says: "Not done: the link to the channel was suspended when its turn came.",
  },
  {
    kind: "pin",
    outcome: "changed_since",
    says: "The network did not respond, and somebody has changed this since. Castellan will not repeat it: check the channel.",
  },
  {
    kind: "ban",
    outcome: "no_response",
    detail: { minutes: 11 },
    says: "The network could not be reached for 11 minutes, so Castellan gave up. Check the channel before trying again.",
  },
  {
    kind: "invite",
    outcome: "limit_reached",
    detail: { minutes: 20 },
    says: "The channel's budget for this is used up. It is free again in about 20 min.",
  },
  {
    kind: "ban",
    outcome: "refused",
    detail: { message: "it's 12 o'clock\nand (late)" },
    says: "The network refused: it's 12 o'clock\nand (late)",
  },
  refused("not_permitted", "The network does not let Castellan do this. Does it still moderate the channel?"),
  refused("not_owner", "Only the channel's owner may do this."),
  refused("cannot_ban_owner", "The owner of a channel cannot be banned."),
  refused("cannot_ban_moderator", "Only the owner can ban a moderator."),
  refused("cannot_remove_owner", "The owner of a channel cannot be removed."),
  refused("banned_from_channel", "The user is banned from the channel: lift the ban first."),
  refused(
    "invitee_not_following",
    "The user follows neither the channel nor Castellan's account, and an invite needs one of the two.",
  ),
  refused("invitee_not_member", "Only a member can become a moderator."),
  refused(
    "too_many_moderators",
    "The channel already has ten moderators, including pending invites. That is the limit.",
  ),
  refused("cast_not_in_channel", "The cast is not in a channel that Castellan moderates."),
  refused("not_found", "The network has no such channel or cast. The cast may have been removed."),
  refused("invalid_auth_token", "The network does not accept Castellan's key. The operator has to renew it."),
  {
    kind: "ban",
    outcome: "other",
    detail: { message: "A sentence of an earlier version." },
    says: "A sentence of an earlier version.",
  },
];

test.each(sentences)("$kind, $outcome: $says", ({ kind, outcome, detail, says, notify = false }) => {
  const subject = { kind, notify, outcome, outcomeDetail: detail ?? null, waitingReason: null };
  expect(describeOutcome(subject)).toBe(says);
});

test.each(sentences)("$kind, $outcome: says nothing undefined without its data", ({ kind, outcome }) => {
  const subject = { kind, notify: false, outcome, outcomeDetail: null, waitingReason: null };
  expect(describeOutcome(subject)).not.toContain("undefined");
});

test("outside Discord, times are in UTC", () => {
  const outcomeDetail = { untilMs: 1_700_003_600_000, beforeMs: null };
  const subject = { kind: "change_expiry", notify: false, outcome: "end_changed", outcomeDetail } as const;
  expect(writeOutcome({ ...subject, waitingReason: null })).toBe(
    "The ban lasts until 2023-11-14 23:13 UTC; before, permanently.",
  );
});

test("a case that waits says why, and one that nobody took up says nothing", () => {
  const open = { kind: "ban", notify: false, outcome: null, outcomeDetail: null } as const;
  expect(describeOutcome({ ...open, waitingReason: "limit" })).toBe("The budget is used up.");
  expect(describeOutcome({ ...open, waitingReason: "response" })).toBe(
    "The network did not respond. Castellan will check whether it happened, and try again if not.",
  );
  expect(describeOutcome({ ...open, waitingReason: null })).toBeNull();
});
