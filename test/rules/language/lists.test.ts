import { describe, expect, it } from "vitest";
import { evaluate } from "../../../src/rules/evaluate/evaluate.ts";
import type { Occurrence } from "../../../src/rules/evaluate/occurrence.ts";
import { parseRules } from "../../../src/rules/language/parse-rules.ts";
import { compareRules } from "../../../src/rules/versions/compare-rules.ts";
import { castCreated, castHash, factsOf, nameTaken, rule } from "../../support/rules.ts";

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
});
