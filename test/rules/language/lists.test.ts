import { describe, expect, it } from "vitest";
import { evaluate } from "../../../src/rules/evaluate/evaluate.ts";
import type { Occurrence } from "../../../src/rules/evaluate/occurrence.ts";
import { parseRules } from "../../../src/rules/language/parse-rules.ts";
import { compareRules } from "../../../src/rules/versions/compare-rules.ts";
import { castCreated, castHash, factsOf, mistakesIn, nameTaken, rule } from "../../support/rules.ts";

const lists = {
  scam_domains: { type: "domain", values: ["Free-Mint.example", "münchen.example"] },
  brands: { type: "name", values: ["castle-team"] },
  words: { type: "text", values: ["GM", "gn"] },
  raiders: { type: "fid", values: [7, 9] },
};
const file = (when: unknown, change: Record<string, unknown> = {}, own: object = lists) =>
  JSON.stringify({ version: 1, lists: own, rules: [rule({ when, ...change })] });
const fires = (text: string, occurrence: Occurrence) => {
  const evaluation = evaluate(parseRules(text), occurrence, factsOf(), 99);
  return evaluation.asked && evaluation.verdicts.length > 0;
};
const linking = (url: string) =>
  castCreated("", { cast: { hash: castHash, embeds: [url], threadDepth: 0, mentions: 0 } });
const onNames = { on: ["username_proof.merged"], then: [{ ban: {} }] };

describe("a list of the file", () => {
  it.each<[unknown, Occurrence, boolean]>([
    [{ "embed.domain": { in_list: "scam_domains" } }, linking("https://x.free-mint.example/"), true],
    [{ "embed.domain": { in_list: "scam_domains" } }, linking("https://mint.example/"), false],
    [{ text: { in_list: "words" } }, castCreated("gm"), true],
    [{ text: { in_list: "words" } }, castCreated("gm all"), false],
    [{ text: { contains_in_list: "words" } }, castCreated("well, GM all"), true],
    [{ text: { contains_in_list: "words" } }, castCreated("say Ｇ\u200bＭ!"), true],
    [{ text: { contains_in_list: "words" } }, castCreated("hello"), false],
    [{ "author.fid": { in_list: "raiders" } }, castCreated("x"), true],
    [{ "author.fid": { in_list: "raiders" } }, castCreated("x", { authorFid: 8 }), false],
  ])("%j: %#", (when, occurrence, expected) => {
    expect(fires(file(when), occurrence)).toBe(expected);
  });

  it("of names is looked up, and compared with by looks", () => {
    expect(fires(file({ name: { in_list: "brands" } }, onNames), nameTaken("castle-team"))).toBe(true);
    expect(fires(file({ name: { confusable_with: ["brands"] } }, onNames), nameTaken("cast1e-team"))).toBe(
      true,
    );
    expect(fires(file({ name: { confusable_with: ["brands"] } }, onNames), nameTaken("castles"))).toBe(false);
  });

  it("that changes is a change of the rules that use it, and of no others", () => {
    const both = (values: unknown[]) => {
      const rules = [rule({ when: { text: { in_list: "words" } } }), rule({ id: "other" })];
      return parseRules(JSON.stringify({ version: 1, lists: { words: { type: "text", values } }, rules }));
    };
    const { changed, unchanged } = compareRules(both(["gm"]), both(["gm", "gn"]));
    expect([changed.map(({ after, keys }) => [after.id, keys]), unchanged]).toEqual([
      [["scam", ["lists"]]],
      1,
    ]);
  });

  it.each<[string, string[]]>([
    [
      file({ text: { in_list: "wrods" } }),
      ['rules[0].when.text.in_list: there is no list "wrods"; did you mean "words"?'],
    ],
    [
      file({ all: [{ "author.fid": { in_list: "words" } }] }),
      ["rules[0].when.all[0].author.fid.in_list: the list words is of type text; here it must be fid"],
    ],
    [
      file({ name: { confusable_with: ["owner", "everybody"] } }, onNames),
      ['rules[0].when.name.confusable_with[1]: there is no list "everybody"'],
    ],
    [
      file({ text: { contains: "x" } }, {}, { owner: { type: "fid", values: [1] } }),
      ["lists.owner: is a reserved word: give the list another name"],
    ],
    [
      file({ text: { contains: "x" } }, {}, { a: { type: "domain", values: ["https://a.example/x"] } }),
      ['lists.a.values[0]: must be a domain without a path: "free-mint.example"'],
    ],
    [
      file({ text: { contains: "x" } }, {}, { a: { type: "fid", values: ["seven"] } }),
      ["lists.a.values[0]: must be a number, not a text"],
    ],
    [
      file({ text: { contains: "x" } }, {}, { a: { type: "fids", values: [] } }),
      ["lists.a.type: must be one of domain, fid, text, name"],
    ],
    [
      file({ text: { contains: "x" } }, {}, { a: { type: "fid", values: Array(10_001).fill(1) } }),
      ["lists.a.values: is too long: at most 10000"],
    ],
    [
      file({ text: { contains: "x" } }, {}, { a: { type: "fid", values: Array(1_000_000).fill(1) } }),
      ["The file has 1954 kB"],
    ],
  ])("%.80s", (text, expected) => {
    const mistakes = mistakesIn(text).map((line) => line.replace(/^line [0-9]+, column [0-9]+: /, ""));
    expect(mistakes).toHaveLength(expected.length);
    for (const [index, mistake] of mistakes.entries()) expect(mistake).toContain(expected[index]);
  });
});
