import { isDeepStrictEqual } from "node:util";
import type { Rule, RuleSet } from "../evaluate/rule-set.ts";

/** The rule with the same content as an entry: by content, because the id may belong to another rule. */
export function findSame(
  rules: RuleSet | undefined,
  entry: Readonly<Record<string, unknown>>,
): Rule | undefined {
  const wanted = { ...entry, id: "", mode: "" };
  return rules?.rules.find((rule) => isDeepStrictEqual({ ...rule.entry, id: "", mode: "" }, wanted));
}

/** The id itself, or with the first number that makes it unused. */
export function findFreeId(rules: RuleSet | undefined, id: string): string {
  const taken = new Set(rules?.rules.map((rule) => rule.id));
  for (let number = 1; ; number++) {
    const free = number === 1 ? id : `${id}-${number}`;
    if (!taken.has(free)) return free;
  }
}
