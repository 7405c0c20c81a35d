import { describe, expect, it } from "vitest";
import { compareRules } from "../../../src/rules/versions/compare-rules.ts";
import { rule, ruleSetOf } from "../../support/rules.ts";

describe("the difference between two versions", () => {
  it("is told by id, by the keys whose meaning differs, and by nothing else", () => {
    const before = ruleSetOf(
      rule({ id: "same" }),
      rule({ id: "gone" }),
      rule({ id: "mode" }),
      rule({ id: "when" }),
    );
    const reordered = Object.fromEntries(Object.entries(rule({ id: "same", priority: 0 })).toReversed());
    const changed = { when: { text: { contains: "other" } }, stop: true };
    const after = ruleSetOf(
      rule({ id: "new" }),
      reordered,
      rule({ id: "mode", mode: "off" }),
      rule({ id: "when", ...changed }),
    );
    const { added, removed, changed: differing, unchanged } = compareRules(before, after);
    expect([added.map(({ id }) => id), removed.map(({ id }) => id), unchanged]).toEqual([
      ["new"],
      ["gone"],
      1,
    ]);
    expect(differing.map(({ after: { id }, keys }) => [id, keys])).toEqual([
      ["mode", ["mode"]],
      ["when", ["when", "stop"]],
    ]);
  });
});
