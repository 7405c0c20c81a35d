import { describe, expect, it } from "vitest";
import type { EvaluatedNode } from "../../../src/rules/evaluate/condition.ts";
import { describeTree, markOf } from "../../../src/rules/explain/describe-tree.ts";

const leaf = (change: Partial<Extract<EvaluatedNode, { kind: "leaf" }>> = {}): EvaluatedNode => ({
  kind: "leaf",
  name: "text",
  sentence: 'the text contains "gm"',
  truth: true,
  value: "gm all",
  ...change,
});

describe("an evaluated condition", () => {
  it.each([
    [true, "✅"],
    [false, "❌"],
    ["unknown", "❔"],
  ] as const)("that came out %s has the mark %s", (truth, mark) => {
    expect(markOf(truth)).toBe(mark);
    expect(describeTree(leaf({ truth }))[0]).toContain(`- ${mark} `);
  });

  it("is a list of lists, a line for each part", () => {
    const tree: EvaluatedNode = {
      kind: "all",
      truth: false,
      parts: [
        { kind: "any", truth: true, parts: [leaf()] },
        {
          kind: "not",
          truth: "unknown",
          parts: [leaf({ truth: "unknown", value: null, why: "it is down" })],
        },
      ],
    };
    expect(describeTree(tree)).toEqual([
      "- ❌ all of these",
      "  - ✅ at least one of these",
      '    - ✅ the text contains "gm" → `gm all`',
      "  - ❔ not this",
      '    - ❔ the text contains "gm" → not known: it is down',
    ]);
  });

  it("says how a disguised text was read", () => {
    const tree = leaf({ value: "g.m all", readAs: "spelled words joined" });
    expect(describeTree(tree)).toEqual([
      '- ✅ the text contains "gm" → `g.m all`, read with spelled words joined',
    ]);
  });

  it("is indented by five steps at most, as Discord does", () => {
    const deep = (depth: number): EvaluatedNode =>
      depth === 0 ? leaf() : { kind: "not", truth: true, parts: [deep(depth - 1)] };
    const indents = describeTree(deep(7)).map((line) => line.indexOf("-") / 2);
    expect(indents).toEqual([0, 1, 2, 3, 4, 5, 5, 5]);
  });

  it.each([
    [null, "nothing"],
    [true, "yes"],
    [false, "no"],
    [7, "**7**"],
    [0, "**0**"],
    ["x".repeat(130), `\`${"x".repeat(119)}…\``],
  ])("says what was found: %s", (value, shown) => {
    expect(describeTree(leaf({ value }))).toEqual([`- ✅ the text contains "gm" → ${shown}`]);
  });

  it("says where a fact is from, and when it was read", () => {
    const [at, source] = [1_700_000_000_999, "channel members"];
    const shown = (change: object) => describeTree(leaf({ value: true, ...change }))[0]?.split("→")[1];
    expect(shown({ source, at })).toBe(" yes (channel members, <t:1700000000:R>)");
    expect(shown({ source, at: 0 })).toBe(" yes (channel members)");
    expect(shown({ source })).toBe(" yes (channel members)");
    expect(shown({ source, at, truth: "unknown", why: "it *is* down" })).toBe(
      " not known: it \\*is\\* down (channel members, <t:1700000000:R>)",
    );
  });

  it("shortens what is long, and takes the format out of what strangers wrote", () => {
    expect(describeTree(leaf({ sentence: "a *b*", value: "`c`" }))).toEqual(["- ✅ a \\*b\\* → `ˋcˋ`"]);
    const [long = ""] = describeTree(leaf({ sentence: "s".repeat(200), why: "w".repeat(200) }));
    expect(long).toBe(`- ✅ ${"s".repeat(149)}… → not known: ${"w".repeat(149)}…`);
  });
});
