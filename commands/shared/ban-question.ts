import type { LabeledForm, Question, RawValues } from "../../src/discord/command.ts";
import { permanent } from "../../src/limits/ban-lengths.ts";
import type { SavedReason } from "../../src/moderation/saved-reasons.ts";
import { formatExactDuration } from "../../src/text/duration.ts";
import { countPoints } from "../../src/text/message-text.ts";
import type { BanLength } from "./preview-ban.ts";

/** For how long a press bans, in seconds; null is permanent. */
const lengths: readonly { label: string; seconds: number | null }[] = [
  { label: "1 day", seconds: 86_400 },
  { label: "7 days", seconds: 7 * 86_400 },
  { label: "30 days", seconds: 30 * 86_400 },
  { label: "Permanent", seconds: null },
];

/** What the buttons under a ban's preview need to know. */
interface RequestedBan<State> {
  /** The options of the command that asks, without length and reason. */
  raw: RawValues;
  reason: string | undefined;
  /** At most so many characters. */
  maxReason: number;
  /** What a press of a length does. */
  stateFor: (forSeconds: number | null) => State;
  /** Asks again, with other options. */
  changes?: readonly { label: string; raw: RawValues }[];
  /** The server's saved reasons; choosing one takes its usual length. */
  saved: readonly SavedReason[];
}

/** For how long? One press bans; a permanent ban takes a reason first. */
export function askBanLength<State>(ban: RequestedBan<State>): Question<State> {
  const { reason, stateFor, changes = [] } = ban;
  const answers = lengths.map(({ label, seconds }) =>
    seconds === null && reason === undefined ? permanentForm(ban) : { label, state: stateFor(seconds) },
  );
  return { answers, changes: [reasonForm(ban, {}), ...withReason(changes, reason)], menu: reasonMenu(ban) };
}

/** The same, or only one button with this label if the length is known. */
export function askOrConfirm<State>(
  ban: RequestedBan<State>,
  forSeconds: BanLength,
  label: string,
): Question<State> {
  if (forSeconds === "asked") return askBanLength(ban);
  const duration = { duration: forSeconds === null ? permanent : formatExactDuration(forSeconds) };
  const changes = (ban.changes ?? []).map((one) => ({ ...one, raw: { ...one.raw, ...duration } }));
  return {
    answers: [{ label, state: ban.stateFor(forSeconds) }],
    changes: [reasonForm(ban, duration), ...withReason(changes, ban.reason)],
    menu: reasonMenu(ban),
  };
}

function reasonMenu({ raw, saved, maxReason }: RequestedBan<unknown>): Question<unknown>["menu"] {
  const options = saved.filter(({ reason }) => countPoints(reason) <= maxReason);
  return {
    placeholder: "A saved reason",
    options: options.map(({ reason, forSeconds }) => ({
      label: reason,
      ...(forSeconds !== null && { description: formatExactDuration(forSeconds) }),
      raw: { ...raw, reason, ...(forSeconds !== null && { duration: formatExactDuration(forSeconds) }) },
    })),
  };
}

/** How long a ban lasts: as typed, or as usual for its saved reason. Asked without either, or if nobody said why it is permanent. */
export function chooseLength(
  typed: number | null | undefined,
  reason: string | undefined,
  saved: readonly SavedReason[],
): BanLength {
  const length = typed === undefined ? saved.find((one) => one.reason === reason)?.forSeconds : typed;
  if (length == null) return typed === null && reason ? null : "asked";
  return length;
}

function withReason(changes: readonly { label: string; raw: RawValues }[], reason: string | undefined) {
  return reason === undefined
    ? changes
    : changes.map(({ label, raw }) => ({ label, raw: { ...raw, reason } }));
}

function reasonForm({ raw, reason, maxReason }: RequestedBan<unknown>, more: RawValues): LabeledForm {
  return {
    label: reason === undefined ? "Add a reason" : "Change the reason",
    form: {
      title: "Reason",
      fields: { reason: reasonField("Why? The user may see it.", reason ?? "", maxReason, true) },
      state: { ...raw, ...more },
    },
  };
}

function permanentForm({ raw, maxReason }: RequestedBan<unknown>): LabeledForm {
  return {
    label: "Permanent",
    form: {
      title: "Permanent ban",
      fields: { reason: reasonField("Why? The user may see it.", "", maxReason, false) },
      state: { ...raw, duration: permanent },
    },
  };
}

function reasonField(label: string, value: string, maxLength: number, optional: boolean) {
  return { label, value, maxLength, optional, short: true };
}
