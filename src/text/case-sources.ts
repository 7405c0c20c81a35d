import { inlineCode } from "./message-text.ts";

/** What stands in the place of a rule where people, and no rule, bring something to review: no rule's id has an "@". */
export const caseSources = { reports: "@reports", appeals: "@appeals" } as const;

/** What brought something to review, in words. */
export function describeHolder(ruleId: string): string {
  if (ruleId === caseSources.reports) return "reports by members";
  return ruleId === caseSources.appeals ? "an appeal" : `rule ${inlineCode(ruleId, 40)}`;
}

/** The same in a list of rules: their names, and in words what is none. */
export function listSource(ruleId: string): { name: string; isRule: boolean } {
  if (ruleId === caseSources.reports) return { name: "Member reports", isRule: false };
  return ruleId === caseSources.appeals ? { name: "Appeals", isRule: false } : { name: ruleId, isRule: true };
}
