import { inlineCode } from "./message-text.ts";

/**
 * Stored in place of a rule's id for items that people bring to review; no rule id contains an "@". They are not a column
 * of their own, because cases, strikes and notes refer to their item by the same event and id.
 */
export const idOfSource = { report: "@reports", appeal: "@appeals" } as const;

/** Who brought an item to review, or asked for a case, by its rule id: a rule, a member's report, or an appeal. */
export function sourceOf(ruleId: string): "rule" | keyof typeof idOfSource {
  if (ruleId === idOfSource.report) return "report";
  return ruleId === idOfSource.appeal ? "appeal" : "rule";
}

/** The source of a review, in words. */
export function describeReviewSource(ruleId: string): string {
  const words = { report: "reports by members", appeal: "an appeal", rule: `rule ${inlineCode(ruleId, 40)}` };
  return words[sourceOf(ruleId)];
}

/** The same for a list of rules: a rule's name, or other sources in words. */
export function listSource(ruleId: string): { name: string; isRule: boolean } {
  const source = sourceOf(ruleId);
  const names = { report: "Member reports", appeal: "Appeals", rule: ruleId };
  return { name: names[source], isRule: source === "rule" };
}
