import { describe, expect, it } from "vitest";
import { textTests, type TextTest } from "../../../src/rules/comparisons/text-tests.ts";
import { Facts } from "../../../src/rules/facts/fact.ts";
import { RuleList } from "../../../src/rules/language/rule-list.ts";
import { readText } from "../../../src/rules/text/rule-text.ts";
import { castCreated } from "../../support/rules.ts";

/** The schema of a test's parameter; a list of the file is called "words". */
function schemaOf(name: string, words?: object) {
  const kind = textTests.find((one) => one.name === name);
  if (!kind) throw new Error(`there is no test ${name}`);
  return kind.schema(new Map(words ? [["words", RuleList.parse(words)]] : []));
}

const read = (name: string, wanted: unknown, words?: object) => schemaOf(name, words).parse(wanted);

const nothing = new Facts();
const passing = (test: TextTest, texts: readonly string[]) =>
  texts.filter((text) => test.holds(readText(text), castCreated(text), nothing) !== false);

describe("a test of a text", () => {
  const texts = ["gm", "GM", "gm all", "say gm", "gn", "ｇm", "ɡм all"];

  it.each<[string, unknown, string, string[], string[] | undefined]>([
    ["contains", "Gm", 'contains "Gm"', ["gm", "GM", "gm all", "say gm", "ｇm"], ["gm", "gm"]],
    ["contains", "ɡм", 'contains "ɡм"', ["ɡм all"], ["ɡм", "ɡм"]],
    ["starts_with", "Gm", 'starts with "Gm"', ["gm", "GM", "gm all", "ｇm"], ["gm", "gm"]],
    ["eq", "Gm", 'is "Gm"', ["gm", "GM", "ｇm"], ["gm"]],
    ["ne", "Gm", 'is not "Gm"', ["gm all", "say gm", "gn", "ɡм all"], undefined],
    ["in", ["Gm", "GN"], "is one of Gm, GN", ["gm", "GM", "gn", "ｇm"], ["gm", "gn"]],
    ["matches", "^gm", "matches /^gm/", ["gm", "gm all", "ｇm"], ["gm"]],
    ["matches", "(?i)^.m$", "matches /(?i)^.m$/", ["gm", "GM", "ｇm"], undefined],
    ["matches", "^gn", "matches /^gn/", ["gn"], ["gn"]],
    ["matches", "ｇ", "matches /ｇ/", ["ｇm"], undefined],
  ])("%s %j", (name, wanted, sentence, expected, literals) => {
    const test = read(name, wanted);
    expect(test.sentence).toBe(sentence);
    expect(passing(test, texts)).toEqual(expected);
    expect(test.literals).toEqual(literals);
    expect(test).not.toHaveProperty("needs");
    expect("literals" in test).toBe(literals !== undefined);
  });

  it("reads borrowed letters as those that they look like, but for equality", () => {
    const disguised = ["аirdrop now", "free аirdrop", "аirdrop"];
    expect(passing(read("contains", "airdrop"), disguised)).toEqual(disguised);
    expect(passing(read("starts_with", "airdrop"), disguised)).toEqual(["аirdrop now", "аirdrop"]);
    expect(passing(read("matches", "^airdrop"), disguised)).toEqual(["аirdrop now", "аirdrop"]);
    expect(passing(read("eq", "airdrop"), disguised)).toEqual([]);
    expect(read("contains", "аirdrop").literals).toEqual(["аirdrop", "airdrop"]);
    expect(read("starts_with", "аirdrop").literals).toEqual(["аirdrop", "airdrop"]);
  });

  it.each([
    ["gm all", true],
    ["gm аll", { readAs: "look-alikes as Latin letters" }],
    ["g m 4ll", false],
    ["gm a.l.l", { readAs: "spelled words joined" }],
    ["gm 🎁 àļļ 🎁", { readAs: "accents left out, symbols left out" }],
    ["gm a1ll", { readAs: "digits as letters, repeated letters once" }],
  ])("says how it read a disguised text: %s", (text, expected) => {
    for (const [name, wanted] of [
      ["contains", "gm all"],
      ["starts_with", "gm all"],
      ["matches", "^gm all"],
    ] as const) {
      expect(read(name, wanted).holds(readText(text), castCreated(text), nothing)).toEqual(expected);
    }
  });

  it("looks for accents that are written, and for none that are not", () => {
    expect(passing(read("contains", "año"), ["feliz año", "ano", "feliz 🎁 año"])).toEqual([
      "feliz año",
      "feliz 🎁 año",
    ]);
    expect(passing(read("contains", "ano"), ["feliz año", "el a.ñ.o nuevo"])).toEqual([]);
    expect(passing(read("matches", "réclamez"), ["řéčłåmeż", "r.é.c.l.a.m.e.z"])).toHaveLength(2);
  });

  it("does not look for what is in nearly every text once repeated letters count once", () => {
    expect(passing(read("contains", "www"), ["we claaaim", "www.a.example"])).toEqual(["www.a.example"]);
  });

  it("finds a text in one of a whole foreign script as it is written", () => {
    expect(passing(read("contains", "привет"), ["Ну привет", "hello"])).toEqual(["Ну привет"]);
    expect(passing(read("starts_with", "привет"), ["Привет!", "Ну привет"])).toEqual(["Привет!"]);
  });

  it("costs the more the more it looks at", () => {
    const costOf = (name: string, wanted: unknown) => read(name, wanted).cost;
    expect([costOf("eq", "a"), costOf("starts_with", "a"), costOf("contains", "a")]).toEqual([1, 1, 2]);
    expect(costOf("matches", "a")).toBeGreaterThan(10);
    expect(costOf("matches", "a{50}")).toBeGreaterThan(costOf("matches", "a"));
  });

  it.each([
    ["contains", "is invisible, so every text contains it: use matches to find invisible characters"],
    ["starts_with", "is invisible, and every text begins with it"],
  ])("%s does not take what is in every text", (name, message) => {
    expect(schemaOf(name).safeParse("\u200B").error?.issues).toEqual([{ code: "custom", message, path: [] }]);
  });

  it.each(["contains", "starts_with", "eq", "ne"])("%s takes one to 500 characters", (name) => {
    const texts = ["", "a", "a".repeat(500), "a".repeat(501)];
    const taken = texts.map((text) => schemaOf(name).safeParse(text).success);
    expect(taken).toEqual([false, true, true, false]);
  });

  it("takes one to a thousand texts where it takes several", () => {
    const many = (count: number) => Array.from({ length: count }, () => "a");
    const lists = [[], ["a"], many(1000), many(1001)];
    expect(lists.map((texts) => schemaOf("in").safeParse(texts).success)).toEqual([false, true, true, false]);
  });
});

describe("in_list", () => {
  it("looks a text up in a list of texts, or of names", () => {
    for (const type of ["text", "name"]) {
      const test = read("in_list", "words", { type, values: ["GM", "gn"] });
      expect(passing(test, ["gm", "GN", "gm all"])).toEqual(["gm", "GN"]);
      expect(test).toMatchObject({ sentence: "is in the list words", literals: ["gm", "gn"], cost: 1 });
    }
  });

  it("takes no list of another type, and says which it takes", () => {
    const fids = { type: "fid", values: [7] };
    expect(() => read("in_list", "words", fids)).toThrow("here it must be text or name");
    expect(() => read("in_list", "words")).toThrow("there is no list");
  });

  it("says which list it uses", () => {
    expect(read("in_list", "words", { type: "text", values: [] })).toMatchObject({ lists: ["words"] });
  });
});

describe("the kinds of test", () => {
  it("have the names that rules write", () => {
    expect(textTests.map(({ name }) => name)).toEqual([
      "contains",
      "starts_with",
      "matches",
      "eq",
      "ne",
      "in",
      "in_list",
      "contains_in_list",
    ]);
  });
});
