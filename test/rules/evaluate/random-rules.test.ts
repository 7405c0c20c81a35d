import * as fc from "fast-check";
import { expect, it } from "vitest";
import { truthOf, createLeafReader } from "../../../src/rules/evaluate/condition.ts";
import { Facts } from "../../../src/rules/facts/fact.ts";
import { readText } from "../../../src/rules/text/rule-text.ts";
import { castCreated, castHash, rule, ruleSetOf } from "../../support/rules.ts";

const word = fc.string({
  unit: fc.constantFrom("a", "b", "а", "B", "s", "ſ", "\u200b", " ", "ß", "1", ".", "🎁", "ś", "\u0336"),
  maxLength: 6,
});
const nonEmpty = word.filter((text) => readText(text).folded !== "");
const leaf = fc.oneof(
  nonEmpty.map((contains) => ({ text: { contains } })),
  nonEmpty.map((starts_with) => ({ text: { starts_with } })),
  nonEmpty.map((eq) => ({ text: { eq } })),
  fc
    .constantFrom(
      "(?i)ab+s",
      "a(b|s)a",
      "(?i)(ab|bs)\\b",
      "^ab",
      "[ab]s",
      "sa?b",
      "\\x{200B}",
      "(ab){0}s",
      "abba",
      "(?i)śs",
    )
    .map((matches) => ({ text: { matches } })),
  fc.constantFrom("a.example", "b.example").map((eq) => ({ "embed.domain": { eq } })),
  fc.constant({ "author.is_member": true }),
  fc.constant({ "text.length": { gte: 3 } }),
  fc.constantFrom({ gte: 1 }, { lt: 2 }).map((test) => ({ "text.links": test })),
  fc.constant({ same_address: { of: "domain", within: "10m", gte: 2 } }),
  fc.constant({ same_reply: { within: "10m", gte: 2 } }),
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

it("rules that one look at the event rules out would have come out as false, whatever the rules and the text", () => {
  const embeds = fc.subarray(["https://x.a.example/", "https://b.example/", "nonsense"]);
  const trees = fc.array(tree, { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(
      trees,
      fc.array(word, { maxLength: 3 }),
      embeds,
      fc.nat(1),
      (trees, words, embeds, threadDepth) => {
        const ruleSet = ruleSetOf(...trees.map((when, index) => rule({ id: `r${index}`, when })));
        const cast = { hash: castHash, embeds, threadDepth, mentions: 0 };
        const occurrence = castCreated(words.join(""), { cast });
        const left = new Set(ruleSet.findCandidates(occurrence));
        const lost = ruleSet.rules.filter((one) => !left.has(one));
        expect(lost.map(({ when }) => truthOf(when, createLeafReader(occurrence, new Facts())))).toEqual(
          lost.map(() => false),
        );
      },
    ),
    { numRuns: 500 },
  );
});
