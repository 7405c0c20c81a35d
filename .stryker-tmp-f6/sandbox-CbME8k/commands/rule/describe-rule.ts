// @ts-nocheck
import type { Rule } from "../../src/rules/evaluate/rule-set.ts";
import { inlineCode } from "../../src/text/escape.ts";

export const modeWords = {
  off: "⚪ off",
  shadow: "🔵 shadow",
  review: "🟡 review",
  enforce: "🔴 enforce",
} as const satisfies Record<Rule["mode"], string>;

/** One line for lists: mode, id, when, what. */
export function describeRule({ id, mode, on, actions }: Rule): string {
  const deeds = actions.map((action) => inlineCode(action.sentence, 80)).join(", ");
  return `${modeWords[mode]} **${id}** · on ${on.join(", ")} · ${deeds}`;
}
