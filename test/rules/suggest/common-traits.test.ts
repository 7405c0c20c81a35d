import { describe, expect, it } from "vitest";
import { parseRules } from "../../../src/rules/language/parse-rules.ts";
import { findCommonTraits, type TraitSearch } from "../../../src/rules/suggest/common-traits.ts";
import { conditionOf, nameTrait, type CastData, type Trait } from "../../../src/rules/suggest/trait.ts";
import { rule, ruleFile } from "../../support/rules.ts";

const cast = (text: string, change: Partial<CastData> = {}): CastData => ({
  hash: "0x1",
  fid: 7,
  text,
  embeds: [],
  ...change,
});
const find = (texts: (string | CastData)[], others: string[] = [], change: Partial<TraitSearch> = {}) =>
  findCommonTraits({
    casts: texts.map((one) => (typeof one === "string" ? cast(one) : one)),
    others: others.map((text) => cast(text, { fid: 8 })),
    kinds: ["address", "phrase", "pattern"],
    least: 3,
    most: 5,
    ...change,
  });

describe("what casts have in common", () => {
  it("is the address that most link to, written or embedded, by what it belongs to", () => {
    const embedded = cast("look", { embeds: ["https://b.scam.example/x"] });
    const texts = ["hi https://a.scam.example", embedded, "www.scam.example now"];
    expect(find(texts)).toEqual([{ trait: { kind: "address", domain: "scam.example" }, casts: [0, 1, 2] }]);
  });

  it.each([
    "co.uk",
    "github.io",
    "vercel.app",
    "uniswap.org",
    "t.me",
    "imagedelivery.net",
    "docs.google.com",
  ])("is no site of everybody: %s", (site) => {
    const texts = ["one", "two", "three"].map((name) => `${name} https://${name}.${site}/${name}`);
    expect(find(texts, [], { kinds: ["address"] })).toEqual([]);
  });

  it("is nothing that any of the others has, in whatever script it is written", () => {
    const texts = ["go claim your prize", "now claim your prize", "ok claim your prize today"];
    expect(find(texts)).toMatchObject([{ trait: { kind: "phrase", text: "claim your prize" } }]);
    expect(find(texts, ["Ꮯlaim yоur prize, they said"])).toEqual([]);
  });

  it("is the longest phrase of the same casts, with what stands between its words", () => {
    const texts = ["a: free  mint, today", "b - free  mint, today!", "c free  mint, today"];
    expect(find(texts).map(({ trait }) => trait)).toEqual([{ kind: "phrase", text: "free  mint, today" }]);
  });

  it("is two words not far from each other, where no phrase is", () => {
    const texts = ["deposit now for double", "deposit today: double", "deposit a bit, get double"];
    expect(find(texts).map(({ trait }) => trait)).toEqual([
      { kind: "pattern", words: ["deposit", "double"] },
    ]);
  });

  it("is few traits: the one that most have, then the one that most of the rest have", () => {
    const links = [
      "a https://x.example",
      "b https://x.example",
      "c https://x.example",
      "d https://x.example",
    ];
    const lures = ["vip signals group", "the vip signals group", "our vip signals group"];
    expect(find([...lures, ...links]).map(({ casts }) => casts)).toEqual([
      [3, 4, 5, 6],
      [0, 1, 2],
    ]);
    expect(find(lures.slice(1))).toEqual([]);
  });

  it("is found in languages without spaces", () => {
    const texts = ["朋友，免费领取空投吧", "今天免费领取空投", "快来免费领取空投啊"];
    expect(find(texts)[0]?.trait).toMatchObject({
      kind: "phrase",
      text: expect.stringContaining("领取空投"),
    });
  });

  it("may be the author, where one is asked for", () => {
    const kinds = ["address", "phrase", "author"] as const;
    expect(find(["one", "two", "three"], ["four"], { kinds })).toEqual([
      { trait: { kind: "author", fid: 7 }, casts: [0, 1, 2] },
    ]);
  });

  it("is found among many casts, also where their texts repeat themselves", () => {
    const long = Array.from({ length: 300 }, (_, index) => `${"aaaa bbbb ".repeat(500)} ${index}`);
    expect(find(long, ["other words"])).not.toEqual([]);
  });
});

describe("a trait", () => {
  const traits: Trait[] = [
    { kind: "address", domain: "scam.example" },
    { kind: "phrase", text: 'a "quoted": [phrase]' },
    { kind: "pattern", words: ["(a+b)/c-d", "領取"] },
    { kind: "author", fid: 7 },
  ];

  it.each(traits)("is asked for by a condition that a rule can have: $kind", (trait) => {
    const { rules } = parseRules(ruleFile([rule({ when: conditionOf(trait) })]));
    expect(rules).toHaveLength(1);
  });

  it("has a name that a rule can have", () => {
    expect(traits.map(nameTrait)).toEqual([
      "address-scam-example",
      "phrase-a-quoted-phrase",
      "pattern-a-b-c-d",
      "author-7",
    ]);
    expect(nameTrait({ kind: "phrase", text: "领取空投" })).toBe("phrase");
  });
});
