import type { CaseKind, CaseOutcome, OutcomeDetail, WaitReason } from "../../database/tables/bot.ts";
import { en } from "../../languages/en.ts";
import { findText } from "../../languages/languages.ts";
import type { PostTexts } from "../../languages/posts/en.ts";
import { describeTime } from "../../text/message-text.ts";
import { writeMoments } from "../../text/since.ts";
import { showNumber } from "../../text/numbered.ts";

/*
 * A case's outcome is stored as a code with the data for its sentence. The sentences are here, and in the catalogue those that
 * posts show; no code compares them.
 */

/** A code with its data, as stored in `castellan.cases`. */
export type StoredOutcome =
  | { outcome: "no_response" | "limit_reached"; outcome_detail: { minutes: number } }
  | { outcome: "refused"; outcome_detail: { code: string; message: string } }
  | {
      outcome: Exclude<CaseOutcome, "no_response" | "limit_reached" | "refused">;
      outcome_detail?: OutcomeDetail;
    };

/** The columns needed for a sentence. */
export interface DescribedOutcome {
  kind: CaseKind;
  notify: boolean;
  outcome: CaseOutcome | null;
  outcomeDetail: OutcomeDetail | null;
  waitingReason: WaitReason | null;
}

/** The outcome of a case, or the reason for its wait, as a sentence; null if there is none yet. */
export function describeOutcome(subject: DescribedOutcome, texts: Texts = en.posts.outcomes): string | null {
  const { outcome, waitingReason } = subject;
  if (outcome !== null) return sentences[outcome](texts, subject.outcomeDetail ?? {}, subject);
  return waitingReason === null ? null : waiting[waitingReason];
}

/** The same for readers outside Discord. */
export function writeOutcome(subject: DescribedOutcome): string | null {
  const shown = describeOutcome(subject);
  return shown && writeMoments(shown);
}

/** Consequences of a ban that lifting it does not undo; `lost` is what this user has. */
export function describeAfterBan(lost = "roles and invites"): string {
  return `Lifting the ban does not bring back ${lost}: the user stays restricted until somebody invites them.`;
}

export const lastsAfterBan = describeAfterBan();

const done: Record<Exclude<CaseKind, "change_expiry">, string> = {
  ban: `Banned: while the ban lasts, all their replies are hidden, including new ones. A ban does not hide their other casts. ${lastsAfterBan}`,
  unban: "Unbanned: the replies show again. The user stays restricted until somebody invites them.",
  invite: "Invited. The user holds the role once they accept.",
  revoke_invite: "Invite revoked. The user can still join by a link.",
  remove_member: "Removed. The user is restricted: only a new invite brings them back.",
  hide: "Hidden.",
  unhide: "Shown again.",
  pin: "Pinned.",
  unpin: "Unpinned. An announcement that went out stays.",
};

const already: Record<Exclude<CaseKind, "change_expiry">, string> = {
  ban: "The user was already banned.",
  unban: "The user was not banned.",
  invite: "The user already holds the role or an invite.",
  revoke_invite: "There was no outstanding invite.",
  remove_member: "The user was not a member.",
  hide: "The cast was already hidden.",
  unhide: "The cast was not hidden.",
  pin: "The cast was already pinned, so nobody was notified.",
  unpin: "Nothing was pinned.",
};

type Texts = PostTexts["outcomes"];
type Sentence = (texts: Texts, detail: OutcomeDetail, subject: DescribedOutcome) => string;

const sentences: Record<CaseOutcome, Sentence> = {
  done: (texts, _, { kind, notify }) =>
    kind === "pin" && notify
      ? "Pinned, and every follower was notified: that cannot be undone."
      : kind === "change_expiry"
        ? texts.expiryChanged
        : done[kind],
  already: (texts, _, { kind }) => (kind === "change_expiry" ? texts.sameExpiry : already[kind]),
  removed_member: () =>
    "The user had accepted it a moment before: the network removed and restricted them. /invite brings them back.",
  banned_again: () => "The ban was lifted. Somebody has banned the user again since.",
  end_changed: (texts, { untilMs, beforeMs }) =>
    texts.end_changed(describeEnd(untilMs, texts), describeEnd(beforeMs, texts)),
  end_unchanged: (texts, { untilMs }) => texts.end_unchanged(describeEnd(untilMs, texts)),
  not_banned: (texts) => texts.not_banned,
  banned_longer: (texts, { caseNumber }) => texts.banned_longer(nameHolder(caseNumber, texts)),
  done_by_another: (texts, { caseNumber, kind }) =>
    texts.notUndone(standsBy(nameHolder(caseNumber, texts), kind, texts)),
  nothing_to_undo: (texts, { caseNumber }) => texts.nothing_to_undo(nameHolder(caseNumber, texts)),
  server_left: (texts) => texts.server_left,
  rules_paused: (texts) => texts.rules_paused,
  bulk_stopped: (texts) => texts.bulk_stopped,
  link_removed: (texts) => texts.link_removed,
  link_suspended: (texts) => texts.link_suspended,
  changed_since: (texts) => texts.changed_since,
  no_response: (texts, { minutes = 0 }) => texts.no_response(minutes),
  refused: (texts, { code = "", message = code }) =>
    findText(texts.rejections, code) ?? texts.refused(message),
  limit_reached: (texts, { minutes = 0 }) => texts.limit_reached(minutes),
  other: (_, { message }) => message ?? "",
};

const waiting: Record<WaitReason, string> = {
  limit: "The budget is used up.",
  response: "The network did not respond. Castellan will check whether it happened, and try again if not.",
};

/** Why a case cannot be undone if `holder` did the same; with the command that ends both. */
export function standsBy(
  holder: string,
  kind: CaseKind | null | undefined,
  { standsBy, endsAll }: Texts = en.posts.outcomes,
): string {
  const why = standsBy(holder);
  return kind === "ban" || kind === "hide" ? endsAll[kind](why) : why;
}

/** Other servers' numbers mean nothing here, so they are not stored. */
function nameHolder(caseNumber: number | null | undefined, texts: Texts): string {
  return caseNumber == null ? texts.anotherServer : texts.case(showNumber("case", caseNumber));
}

function describeEnd(untilMs: number | null | undefined, texts: Texts): string {
  return untilMs == null ? texts.permanent : texts.until(describeTime(untilMs / 1000, "f"));
}
