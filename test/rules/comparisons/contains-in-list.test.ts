import * as fc from "fast-check";
import { expect, it } from "vitest";
import { createLeafReader, truthOf } from "../../../src/rules/evaluate/condition.ts";
import { Facts } from "../../../src/rules/facts/fact.ts";
import { parseRules } from "../../../src/rules/language/parse-rules.ts";
import { readText } from "../../../src/rules/text/rule-text.ts";
import { castCreated, rule } from "../../support/rules.ts";

/** Whether a text has one of the phrases in it, by the list and by a rule for each of them; and whether it is asked at all. */
function compare(phrases: readonly string[], text: string) {
  const lists = { l: { type: "text", values: phrases } };
  const rules = [
    rule({ id: "list", when: { text: { contains_in_list: "l" } } }),
    rule({ id: "each", when: { any: phrases.slice(0, 60).map((contains) => ({ text: { contains } })) } }),
  ];
  const set = parseRules(JSON.stringify({ version: 1, lists, rules }));
  const occurrence = castCreated(text);
  const read = createLeafReader(occurrence, new Facts());
  const candidates = set.findCandidates(occurrence).map(({ id }) => id);
  return Object.fromEntries(
    set.rules.map(({ id, when }) => [id, candidates.includes(id) && truthOf(when, read)]),
  );
}

const word = fc.string({
  unit: fc.constantFrom(
    "a",
    "b",
    "а",
    "B",
    "s",
    "ſ",
    "\u200b",
    " ",
    "ß",
    "1",
    ".",
    "🎁",
    "ś",
    "\u0336",
    "l",
    "I",
  ),
  minLength: 1,
  maxLength: 5,
});
const phrase = word.filter((text) => readText(text).folded !== "");

it("finds exactly what one rule for each of the phrases would find, disguised or not", () => {
  fc.assert(
    fc.property(
      fc.array(phrase, { minLength: 1, maxLength: 5 }),
      fc.array(word, { maxLength: 5 }),
      (phrases, words) => {
        const { list, each } = compare(phrases, words.join(""));
        expect(list).toBe(each);
      },
    ),
    { numRuns: 300 },
  );
});

it("takes a list of ten thousand phrases, and finds the last of them", () => {
  const phrases = Array.from({ length: 10_000 }, (_, index) => `w${index.toString(36)}`);
  expect(compare(phrases, "so say W7PR, all of you").list).toBe(true);
  expect(compare(phrases, "nothing of it").list).toBe(false);
});

it("never holds where the list is empty", () => {
  const lists = { l: { type: "text", values: [] } };
  const rules = [rule({ when: { text: { contains_in_list: "l" } } })];
  const { remarks } = parseRules(JSON.stringify({ version: 1, lists, rules }));
  expect(remarks.map(({ message }) => message)).toEqual([
    "rule scam, when.text: never holds: the list l is empty",
  ]);
});
