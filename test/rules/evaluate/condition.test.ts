import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  explain,
  leavesOf,
  truthOf,
  unknown,
  type ConditionNode,
  type EvaluatedNode,
  createLeafReader,
} from "../../../src/rules/evaluate/condition.ts";
import { combine, negate, type Truth } from "../../../src/rules/evaluate/condition.ts";
import { castCreated, factsOf } from "../../support/rules.ts";

const occurrence = castCreated("gm");
const facts = factsOf();
const evaluate = (node: ConditionNode) => truthOf(node, createLeafReader(occurrence, facts));

const truths = [true, false, "unknown"] as const;
const all = (...parts: Truth[]) => combine(false, parts, (part) => part);
const any = (...parts: Truth[]) => combine(true, parts, (part) => part);

describe("three-valued logic", () => {
  it.each([
    [true, true, true],
    [true, false, false],
    [true, "unknown", "unknown"],
    [false, false, false],
    [false, "unknown", false],
    ["unknown", "unknown", "unknown"],
  ] as const)("all of %s and %s is %s", (one, other, expected) => {
    expect([all(one, other), all(other, one)]).toEqual([expected, expected]);
  });

  it.each([
    [true, true, true],
    [true, false, true],
    [true, "unknown", true],
    [false, false, false],
    [false, "unknown", "unknown"],
    ["unknown", "unknown", "unknown"],
  ] as const)("any of %s and %s is %s", (one, other, expected) => {
    expect([any(one, other), any(other, one)]).toEqual([expected, expected]);
  });

  it("turns true and false around and keeps unknown", () => {
    expect(truths.map(negate)).toEqual([false, true, "unknown"]);
  });
});

const leafOf = (truth: Truth, cost: number): ConditionNode => ({
  kind: "leaf",
  name: "fixed",
  leaf: { needs: [], cost, sentence: `is ${truth}`, read: () => ({ truth, value: cost }) },
});
const group = (kind: "all" | "any", parts: ConditionNode[], cheapestFirst = parts): ConditionNode => ({
  kind,
  parts,
  cheapestFirst,
});

const { tree } = fc.letrec<{ tree: ConditionNode }>((tie) => ({
  tree: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc
      .record({ truth: fc.constantFrom(...truths), cost: fc.nat(9) })
      .map(({ truth, cost }) => leafOf(truth, cost)),
    tie("tree").map((part): ConditionNode => ({ kind: "not", part })),
    fc
      .record({
        kind: fc.constantFrom("all" as const, "any" as const),
        parts: fc.array(tie("tree"), { minLength: 1, maxLength: 4 }),
      })
      .map(({ kind, parts }) => group(kind, parts)),
  ),
}));

/** The tree with the parts of every group, in both orders, turned around. */
function mirror(node: ConditionNode): ConditionNode {
  if (node.kind === "leaf") return node;
  if (node.kind === "not") return { kind: "not", part: mirror(node.part) };
  return group(node.kind, node.parts.map(mirror).toReversed());
}

function sentencesOf(node: EvaluatedNode): string[] {
  return node.kind === "leaf" ? [node.sentence] : node.parts.flatMap(sentencesOf);
}

describe("a tree of conditions", () => {
  it("says the same when it is negated twice", () => {
    fc.assert(
      fc.property(tree, (part) => {
        expect(evaluate({ kind: "not", part: { kind: "not", part } })).toBe(evaluate(part));
      }),
    );
  });

  it("says the same whatever the order of its parts", () => {
    fc.assert(
      fc.property(tree, (node) => {
        expect(evaluate(mirror(node))).toBe(evaluate(node));
      }),
    );
  });

  it("is negated by negating its parts under the other group", () => {
    fc.assert(
      fc.property(fc.array(tree, { minLength: 1, maxLength: 4 }), (parts) => {
        const negated = parts.map((part): ConditionNode => ({ kind: "not", part }));
        expect(evaluate({ kind: "not", part: group("all", parts) })).toBe(evaluate(group("any", negated)));
      }),
    );
  });

  it("explains exactly what it decided, with every part in the order written", () => {
    fc.assert(
      fc.property(tree, (node) => {
        const explained = explain(node, createLeafReader(occurrence, facts));
        expect(explained.truth).toBe(evaluate(node));
        expect(sentencesOf(explained)).toEqual(leavesOf(node).map(({ leaf }) => leaf.sentence));
      }),
    );
  });

  it("looks at cheap parts first, stops where the outcome is settled, and looks at none twice", () => {
    const looked: string[] = [];
    const watched = (name: string, truth: Truth): ConditionNode => ({
      kind: "leaf",
      name,
      leaf: {
        needs: [],
        cost: 1,
        sentence: name,
        read: () => {
          looked.push(name);
          return { truth, value: null };
        },
      },
    });
    const [dear, cheap] = [watched("dear", true), watched("cheap", false)];
    expect(evaluate(group("all", [dear, cheap], [cheap, dear]))).toBe(false);
    expect(looked).toEqual(["cheap"]);
    looked.length = 0;
    const read = createLeafReader(occurrence, facts);
    expect([truthOf(dear, read), truthOf(dear, read), explain(dear, read).truth]).toEqual([true, true, true]);
    expect(looked).toEqual(["dear"]);
  });
});

it("what cannot be known has no value, says why, and who was asked", () => {
  expect(unknown("it is down")).toEqual({ truth: "unknown", value: null, why: "it is down" });
  expect(unknown("it is down", { source: "hub", at: 5 })).toEqual({
    truth: "unknown",
    value: null,
    why: "it is down",
    source: "hub",
    at: 5,
  });
});
