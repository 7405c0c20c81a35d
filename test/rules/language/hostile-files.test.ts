import { describe, expect, it } from "vitest";
import { mistakesIn, rule, ruleFile } from "../../support/rules.ts";

const deep = (open: string, close: string, times: number) => open.repeat(times) + close.repeat(times);
const leaves = (count: number) => ({
  any: Array.from({ length: count }, () => ({ text: { contains: "x" } })),
});
const nots = (times: number) =>
  Array.from({ length: times }).reduce<unknown>((part) => ({ not: part }), { text: { contains: "x" } });
const manyRules = (count: number) =>
  JSON.stringify({ version: 1, rules: Array.from({ length: count }, (_, index) => ({ id: `r${index}` })) });

/** What may take long is refused, clearly, and in a time that does not depend on how large it is. */
describe("hostile files", () => {
  const patterns = Array.from({ length: 500 }, (_, index) => ({
    text: { matches: `(?i)\\pL{250}${index}` },
  }));

  it.each<[string, string, RegExp]>([
    ["10,000 rules", manyRules(10_000), /^The file has 14\d kB; at most 128 kB are read\.$/],
    ["501 rules", manyRules(501), /rules: is too long: at most 500$/],
    ["deep lists", deep("[", "]", 60_000), /nested too deeply$/],
    ["deep lists that never end", "[".repeat(100_000), /nested too deeply$/],
    ["deep maps", deep("{a: ", "}", 20_000), /nested too deeply$/],
    ["deep dashes", `${"- ".repeat(60_000)}a`, /nested too deeply$/],
    ["33 levels", deep("[", "]", 33), /nested too deeply$/],
    ["a huge text", `version: 1\nrules: ${"x".repeat(200_000)}`, /^The file has 196 kB/],
    ["an alias bomb", `a: &a [x,x,x]\nb: &b [*a,*a,*a]\nc: [*b,*b,*b]`, /write it out: \*b/],
    ["65 conditions", ruleFile([rule({ when: leaves(65) })]), /has more than 64 conditions$/],
    ["7 levels of not", ruleFile([rule({ when: nots(6) })]), /is nested deeper than 6$/],
    [
      "a long pattern",
      ruleFile([rule({ when: { text: { matches: "a".repeat(501) } } })]),
      /is too long: at most 500$/,
    ],
    [
      "a large pattern",
      ruleFile([rule({ when: { text: { matches: "[ab]{400}c" } } })]),
      /is too large \(\d+ steps, at most 300\)/,
    ],
    [
      "many patterns",
      ruleFile(
        Array.from({ length: 8 }, (_, index) =>
          rule({ id: `r${index}`, when: { any: patterns.slice(index * 60, index * 60 + 60) } }),
        ),
      ),
      /patterns up to here are too large together/,
    ],
  ])("%s", (_, text, expected) => {
    expect(mistakesIn(text).at(-1)).toMatch(expected);
  });

  it("tells at most twenty mistakes", () => {
    expect(mistakesIn(manyRules(400))).toHaveLength(20);
  });

  it("takes what is just within the limits", () => {
    expect(mistakesIn(ruleFile([rule({ when: leaves(64) }), rule({ id: "b", when: nots(5) })]))).toEqual([]);
  });
});
