import { inlineCode } from "./message-text.ts";

/** What stands in the place of a rule where people, and no rule, bring something to review: no rule's id has an "@". */
export const heldBy = { reports: "@reports", appeals: "@appeals" } as const;

/** What brought something to review, in words. */
export function describeHolder(ruleId: string): string {
  if (ruleId === heldBy.reports) return "reports by members";
  return ruleId === heldBy.appeals ? "an appeal" : `rule ${inlineCode(ruleId, 40)}`;
}
