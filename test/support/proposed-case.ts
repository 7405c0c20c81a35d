import type { ProposedCase } from "../../src/rules/actions/action.ts";

/** The case that a rule's action got; fails where it needed none. */
export function caseOf(proposed: ProposedCase): number {
  if ("needless" in proposed) throw new Error(proposed.needless);
  return proposed.caseId;
}
