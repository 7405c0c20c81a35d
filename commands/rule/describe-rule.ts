import type { Rule } from "../../src/rules/evaluate/rule-set.ts";
import type { RuleRecord } from "../../src/rules/review/rule-record.ts";
import type { ExplainedDecision } from "../../src/rules/explain/explain-event.ts";
import { castellan } from "../../src/rules/versions/rules-of-server.ts";
import { inlineCode } from "../../src/text/message-text.ts";

export const modeWords = {
  off: "⚪ off",
  shadow: "🔵 shadow",
  review: "🟡 review",
  enforce: "🔴 enforce",
} as const satisfies Record<Rule["mode"], string>;

/** What came of an action of a rule. */
export const outcomeWords = {
  acted: "acted",
  would_have: "would have acted",
  unknown: "could not tell",
  too_old: "did not act",
  paused: "did not act",
  impossible: "could not act",
  held: "held for review",
  cooling: "did not act",
  asked_again: "checked again later",
} as const satisfies Record<ExplainedDecision["actions"][number]["outcome"], string>;

/** One line for lists: mode, id, when, what. */
export function describeRule({ id, mode, on, actions }: Rule): string {
  const deeds = actions.map((action) => inlineCode(action.sentence, 80)).join(", ");
  return `${modeWords[mode]} **${id}** · on ${on.join(", ")} · ${deeds}`;
}

/** How often people found a rule wrong lately; empty where nobody had to say. */
export function describeRecord(record: RuleRecord | undefined): string[] {
  if (!record) return [];
  const { decided, dismissed, undone } = record;
  return [
    ...(decided > 0 ? [`${dismissed} of ${decided} reviews dismissed`] : []),
    ...(undone > 0 ? [`${undone} of its cases undone`] : []),
  ];
}

/** Who made a version: a person, or Castellan itself when a breaker tripped. */
export function describeSaver(savedBy: string): string {
  return savedBy === castellan ? "Castellan" : `<@${savedBy}>`;
}
