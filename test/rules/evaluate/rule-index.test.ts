import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { truthOf } from "../../../src/rules/evaluate/condition.ts";
import { Facts } from "../../../src/rules/evaluate/fact.ts";
import { LiteralSearch } from "../../../src/rules/evaluate/literal-search.ts";
import { findCandidates } from "../../../src/rules/evaluate/rule-index.ts";
import { readText, textLimit } from "../../../src/rules/text/rule-text.ts";
import { castCreated, castHash, nameTaken, recordHidden, rule, ruleSetOf } from "../../support/rules.ts";

const word = fc.string({
  unit: fc.constantFrom("a", "b", "а", "B", "s", "ſ", "\u200b", " ", "ß"),
  maxLength: 6,
});
const nonEmpty = word.filter((text) => readText(text).folded !== "");
const leaf = fc.oneof(
  nonEmpty.map((contains) => ({ text: { contains } })),
  nonEmpty.map((starts_with) => ({ text: { starts_with } })),
  nonEmpty.map((eq) => ({ text: { eq } })),
  fc
    .constantFrom("(?i)ab+s", "a(b|s)a", "(?i)(ab|bs)\\b", "^ab", "[ab]s", "sa?b", "\\x{200B}", "(ab){0}s")
    .map((matches) => ({ text: { matches } })),
  fc.constantFrom("a.example", "b.example").map((eq) => ({ "embed.domain": { eq } })),
  fc.constant({ "author.is_member": true }),
  fc.constant({ "text.length": { gte: 3 } }),
);
const { tree } = fc.letrec<{ tree: Record<string, unknown> }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 3 },
    leaf,
    tie("tree").map((not) => ({ not })),
    fc.array(tie("tree"), { minLength: 1, maxLength: 3 }).map((all) => ({ all })),
    fc.array(tie("tree"), { minLength: 1, maxLength: 3 }).map((any) => ({ any })),
  ),
}));

describe("rules that one look at the event rules out", () => {
  it("would have come out as false, whatever the rules and the text", () => {
    const embeds = fc.subarray(["https://x.a.example/", "https://b.example/", "nonsense"]);
    const trees = fc.array(tree, { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(trees, fc.array(word, { maxLength: 3 }), embeds, (trees, words, embeds) => {
        const ruleSet = ruleSetOf(...trees.map((when, index) => rule({ id: `r${index}`, when })));
        const cast = { hash: castHash, embeds, threadDepth: 0, mentions: 0 };
        const occurrence = castCreated(words.join(""), { cast });
        const left = new Set(findCandidates(ruleSet, occurrence));
        const lost = ruleSet.rules.filter((one) => !left.has(one));
        expect(lost.map(({ when }) => truthOf(when, occurrence, new Facts()))).toEqual(lost.map(() => false));
      }),
      { numRuns: 500 },
    );
  });

  const kinds = ruleSetOf(
    rule({
      id: "domain",
      when: { all: [{ "embed.domain": { eq: "a.example" } }, { text: { contains: "x" } }] },
    }),
    rule({
      id: "either",
      when: { any: [{ text: { contains: "airdrop" } }, { text: { matches: "claim.*now" } }] },
    }),
    rule({ id: "free", when: { "text.length": { gte: 1 } } }),
    rule({ id: "never", when: { not: { text: { contains: "airdrop" } } } }),
    rule({ id: "off", mode: "off", when: { text: { contains: "airdrop" } } }),
    rule({ id: "text", when: { all: [{ text: { contains: "airdrop" } }, { "author.is_member": false }] } }),
  );
  const left = (occurrence: Parameters<typeof findCandidates>[1]) =>
    findCandidates(kinds, occurrence).map(({ id }) => id);

  it("are left out, the others keep their order", () => {
    expect(left(castCreated("gm"))).toEqual(["free", "never"]);
    expect(left(castCreated("free Аirdrop"))).toEqual(["either", "free", "never", "text"]);
    expect(left(castCreated("just claim it"))).toEqual(["either", "free", "never"]);
    expect(left(castCreated("see https://b.a.example/ x"))).toEqual(["domain", "free", "never"]);
  });

  it("are not ruled out by a text that was not read, or not to its end", () => {
    expect(left(castCreated(`gm${" ".repeat(textLimit)}`))).toHaveLength(5);
    expect(left(castCreated("gm", { cast: null }))).toHaveLength(5);
    const hidden = ruleSetOf(rule({ on: ["record.hidden"], then: [{ ban: {} }] }));
    expect(findCandidates(hidden, recordHidden())).toHaveLength(1);
  });

  it("are ruled out by name as well", () => {
    const named = (eq: string) =>
      rule({ id: eq, on: ["username_proof.merged"], when: { name: { eq } }, then: [{ ban: {} }] });
    const names = ruleSetOf(named("alice"), named("bob"));
    expect(findCandidates(names, nameTaken("bob")).map(({ id }) => id)).toEqual(["bob"]);
  });
});

describe("a search for many literals", () => {
  it("finds those that are in the text, as looking for each of them does", () => {
    const letters = fc.string({ unit: fc.constantFrom("a", "b", "c", "я"), minLength: 1, maxLength: 5 });
    const text = fc.string({ unit: fc.constantFrom("a", "b", "c", "я"), maxLength: 40 });
    fc.assert(
      fc.property(fc.uniqueArray(letters, { maxLength: 30 }), text, (literals, text) => {
        const found = new Set<string>();
        new LiteralSearch(literals.map((literal) => ({ literal, value: literal }))).find(text, (one) =>
          found.add(one),
        );
        expect(found).toEqual(new Set(literals.filter((literal) => text.includes(literal))));
      }),
    );
  });
});
