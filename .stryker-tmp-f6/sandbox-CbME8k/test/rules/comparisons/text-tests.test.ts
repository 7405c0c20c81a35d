// @ts-nocheck
import { describe, expect, it } from "vitest";
import { contains } from "../../../src/rules/comparisons/contains.ts";
import { eq } from "../../../src/rules/comparisons/eq.ts";
import { isIn } from "../../../src/rules/comparisons/in.ts";
import { inList } from "../../../src/rules/comparisons/in-list.ts";
import { matches } from "../../../src/rules/comparisons/matches.ts";
import { ne } from "../../../src/rules/comparisons/ne.ts";
import { startsWith } from "../../../src/rules/comparisons/starts-with.ts";
import type { TextTest, TextTestKind } from "../../../src/rules/comparisons/text-test.ts";
import { Facts } from "../../../src/rules/evaluate/fact.ts";
import { needsLists, RuleList } from "../../../src/rules/language/rule-list.ts";
import { readText } from "../../../src/rules/text/rule-text.ts";
import { castCreated } from "../../support/rules.ts";

function read(kind: TextTestKind, wanted: unknown, ...lists: unknown[]): TextTest {
  const parsed = kind.schema.parse(wanted);
  return needsLists(parsed) ? parsed.withLists(lists.map((list) => RuleList.parse(list))) : parsed;
}

const nothing = new Facts();
const passing = (test: TextTest, texts: readonly string[]) =>
  texts.filter((text) => test.holds(readText(text), castCreated(text), nothing) === true);

describe("a test of a text", () => {
  const texts = ["gm", "GM", "gm all", "say gm", "gn", "ｇm", "ɡм all"];

  it.each<[TextTestKind, unknown, string, string[], string[] | undefined]>([
    [contains, "Gm", 'contains "Gm"', ["gm", "GM", "gm all", "say gm", "ｇm"], ["gm", "gm"]],
    [contains, "ɡм", 'contains "ɡм"', ["ɡм all"], ["ɡм", "ɡм"]],
    [startsWith, "Gm", 'starts with "Gm"', ["gm", "GM", "gm all", "ｇm"], ["gm", "gm"]],
    [eq, "Gm", 'is "Gm"', ["gm", "GM", "ｇm"], ["gm"]],
    [ne, "Gm", 'is not "Gm"', ["gm all", "say gm", "gn", "ɡм all"], undefined],
    [isIn, ["Gm", "GN"], "is one of Gm, GN", ["gm", "GM", "gn", "ｇm"], ["gm", "gn"]],
    [matches, "^gm", "matches /^gm/", ["gm", "gm all", "ｇm"], ["gm"]],
    [matches, "(?i)^.m$", "matches /(?i)^.m$/", ["gm", "GM", "ｇm"], undefined],
    [matches, "^gn", "matches /^gn/", ["gn"], ["gn"]],
    [matches, "ｇ", "matches /ｇ/", ["ｇm"], undefined],
  ])("$name %j", (kind, wanted, sentence, expected, literals) => {
    const test = read(kind, wanted);
    expect(test.sentence).toBe(sentence);
    expect(passing(test, texts)).toEqual(expected);
    expect(test.literals).toEqual(literals);
    expect(test).not.toHaveProperty("asks");
    expect("literals" in test).toBe(literals !== undefined);
  });

  it("reads borrowed letters as those that they look like, but for equality", () => {
    const disguised = ["аirdrop now", "free аirdrop", "аirdrop"];
    expect(passing(read(contains, "airdrop"), disguised)).toEqual(disguised);
    expect(passing(read(startsWith, "airdrop"), disguised)).toEqual(["аirdrop now", "аirdrop"]);
    expect(passing(read(matches, "^airdrop"), disguised)).toEqual(["аirdrop now", "аirdrop"]);
    expect(passing(read(eq, "airdrop"), disguised)).toEqual([]);
    expect(read(contains, "аirdrop").literals).toEqual(["аirdrop", "airdrop"]);
    expect(read(startsWith, "аirdrop").literals).toEqual(["аirdrop", "airdrop"]);
  });

  it("finds a text in one of a whole foreign script as it is written", () => {
    expect(passing(read(contains, "привет"), ["Ну привет", "hello"])).toEqual(["Ну привет"]);
    expect(passing(read(startsWith, "привет"), ["Привет!", "Ну привет"])).toEqual(["Привет!"]);
  });

  it("costs the more the more it looks at", () => {
    const costOf = (kind: TextTestKind, wanted: unknown) => read(kind, wanted).cost;
    expect([costOf(eq, "a"), costOf(startsWith, "a"), costOf(contains, "a")]).toEqual([1, 1, 2]);
    expect(costOf(matches, "a")).toBeGreaterThan(10);
    expect(costOf(matches, "a{50}")).toBeGreaterThan(costOf(matches, "a"));
  });

  it.each([
    [contains, "is invisible, and so in every text: use matches to look for what does not show"],
    [startsWith, "is invisible, and every text begins with it"],
  ])("$name does not take what is in every text", (kind, message) => {
    const { error } = kind.schema.safeParse("\u200B");
    expect(error?.issues).toEqual([{ code: "custom", message, path: [] }]);
  });

  it.each([contains, startsWith, eq, ne])("$name takes one to 500 characters", ({ schema }) => {
    const taken = ["", "a", "a".repeat(500), "a".repeat(501)].map((text) => schema.safeParse(text).success);
    expect(taken).toEqual([false, true, true, false]);
  });

  it("takes one to a thousand texts where it takes several", () => {
    const many = (count: number) => Array.from({ length: count }, () => "a");
    const taken = [[], ["a"], many(1000), many(1001)].map((texts) => isIn.schema.safeParse(texts).success);
    expect(taken).toEqual([false, true, true, false]);
  });
});

describe("in_list", () => {
  it("looks a text up in a list of texts, or of names", () => {
    for (const type of ["text", "name"]) {
      const test = read(inList, "words", { type, values: ["GM", "gn"] });
      expect(passing(test, ["gm", "GN", "gm all"])).toEqual(["gm", "GN"]);
      expect(test).toMatchObject({ sentence: "is in the list words", literals: ["gm", "gn"], cost: 1 });
    }
  });

  it("finds nothing in what is no list of texts", () => {
    expect(passing(read(inList, "words"), ["gm"])).toEqual([]);
    expect(passing(read(inList, "words", { type: "fid", values: [7] }), ["7"])).toEqual([]);
  });

  it("says which list it needs, and of which type", () => {
    expect(inList.schema.parse("words")).toMatchObject({
      uses: [{ name: "words", types: ["text", "name"], path: [] }],
    });
  });
});

describe("the kinds of test", () => {
  it("have the names that rules write", () => {
    const kinds = [contains, startsWith, matches, eq, ne, isIn, inList];
    expect(kinds.map(({ name }) => name)).toEqual([
      "contains",
      "starts_with",
      "matches",
      "eq",
      "ne",
      "in",
      "in_list",
    ]);
  });
});
