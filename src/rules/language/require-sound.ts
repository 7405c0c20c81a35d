import { AppError } from "../../errors.ts";
import type { RuleSet } from "../evaluate/rule-set.ts";

/** The rules, if all of their conditions can work. Throws `invalid_file`. */
export function requireSound(ruleSet: RuleSet): RuleSet {
  const { remarks } = ruleSet;
  if (remarks.length === 0) return ruleSet;
  const count = remarks.length === 1 ? "a condition" : `${remarks.length} conditions`;
  const mistakes = remarks.map(({ path, message }) => ({ path, message }));
  throw new AppError("invalid_file", `The rules have ${count} that cannot work as written.`, { mistakes });
}
