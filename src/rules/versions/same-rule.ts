import { isDeepStrictEqual } from "node:util";
import type { Rule, RuleSet } from "../evaluate/rule-set.ts";

/** The rule that says what an entry says: by its words, for its id may be another rule's. */
export function findSame(
  rules: RuleSet | undefined,
  entry: Readonly<Record<string, unknown>>,
): Rule | undefined {
  const wanted = { ...entry, id: "", mode: "" };
  return rules?.rules.find((rule) => isDeepStrictEqual({ ...rule.entry, id: "", mode: "" }, wanted));
}

/** The id itself, or the first with a number behind it that no rule has. */
export function findFreeId(rules: RuleSet | undefined, id: string): string {
  const taken = new Set(rules?.rules.map((rule) => rule.id));
  for (let number = 1; ; number++) {
    const free = number === 1 ? id : `${id}-${number}`;
    if (!taken.has(free)) return free;
  }
}
