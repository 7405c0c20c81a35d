import { stringify } from "yaml";
import type { Rule } from "../../src/rules/evaluate/rule-set.ts";
import type { RuleRecord } from "../../src/reviews/rule-record.ts";
import type { ExplainedDecision } from "../../src/rules/explain/explain-event.ts";
import { castellan } from "../../src/rules/versions/rules-of-server.ts";
import { inlineCode } from "../../src/text/message-text.ts";

export const modeWords = {
  off: "⚪ off",
  shadow: "🔵 shadow",
  review: "🟡 review",
  enforce: "🔴 enforce",
} as const satisfies Record<Rule["mode"], string>;

/** The outcome of a rule's action. */
export const outcomeWords = {
  acted: "acted",
  would_have: "would have acted",
  unknown: "could not tell",
  too_old: "did not act",
  paused: "did not act",
  impossible: "could not act",
  held: "held for review",
  cooling: "did not act",
  postponed: "checked again later",
} as const satisfies Record<ExplainedDecision["actions"][number]["outcome"], string>;

/** One line for lists: mode, id, channels, events, condition and actions. */
export function describeRule({ id, mode, channels, on, entry, actions }: Rule): string {
  const sentences = actions.map((action) => inlineCode(action.sentence, 80)).join(", ");
  const where = describeChannels(channels);
  return `${modeWords[mode]} **${id}** · ${where} · on ${on.join(", ")}${describeWhen(entry)} · ${sentences}`;
}

const maxChannels = 5;

/** The channels that a rule covers. */
function describeChannels(channels: Rule["channels"]): string {
  if (channels === null) return "in every linked channel";
  const shown = channels.slice(0, maxChannels).map((pattern) => inlineCode(`/${pattern}`, 64));
  const more = channels.length > maxChannels ? ` and ${channels.length - maxChannels} more` : "";
  return `in ${shown.join(", ")}${more}`;
}

/** Its condition, as written in the file. */
function describeWhen({ when }: Rule["entry"]): string {
  if (when === undefined) return "";
  return ` when ${inlineCode(stringify(when, { collectionStyle: "flow", lineWidth: 0 }).trim(), 120)}`;
}

/** How often people overruled a rule lately; empty if nobody decided anything. */
export function describeRecord(record: RuleRecord | undefined): string[] {
  if (!record) return [];
  const { decided, dismissed, undone } = record;
  return [
    ...(decided > 0 ? [`${dismissed} of ${decided} reviews dismissed`] : []),
    ...(undone > 0 ? [`${undone} of its cases undone`] : []),
  ];
}

/** The author of a version: a person, or Castellan when a breaker tripped. */
export function describeSaver(savedBy: string): string {
  return savedBy === castellan ? "Castellan" : `<@${savedBy}>`;
}
