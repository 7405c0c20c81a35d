import { inlineCode } from "./message-text.ts";

/** Replace a rule's id for items that people bring to review: no rule id contains an "@". */
export const caseSources = { reports: "@reports", appeals: "@appeals" } as const;

/** The origin of a review, in words. */
export function describeHolder(ruleId: string): string {
  if (ruleId === caseSources.reports) return "reports by members";
  return ruleId === caseSources.appeals ? "an appeal" : `rule ${inlineCode(ruleId, 40)}`;
}

/** The same for a list of rules: a rule's name, or other origins in words. */
export function listSource(ruleId: string): { name: string; isRule: boolean } {
  if (ruleId === caseSources.reports) return { name: "Member reports", isRule: false };
  return ruleId === caseSources.appeals ? { name: "Appeals", isRule: false } : { name: ruleId, isRule: true };
}
