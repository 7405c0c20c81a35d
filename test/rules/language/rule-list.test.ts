import { describe, expect, it } from "vitest";
import { Domain, listNamed, readDomain, RuleList } from "../../../src/rules/language/rule-list.ts";
import { lookAlikeKeys } from "../../../src/text/skeleton.ts";

describe("a domain", () => {
  it.each([
    ["a.example", "a.example"],
    [" A.Example. ", "a.example"],
    ["a.b-c.example", "a.b-c.example"],
    ["_dmarc.a.example", "_dmarc.a.example"],
    ["münchen.example", "xn--mnchen-3ya.example"],
    ["1.2.3.4", "1.2.3.4"],
    ["example", undefined],
    ["a..example", undefined],
    ["a.example/path", undefined],
    ["a.example/", undefined],
    ["a.example?x", undefined],
    ["a.example#x", undefined],
    ["a.example\\x", undefined],
    ["a. example", undefined],
    ["a.example:80", undefined],
    ["https://a.example", undefined],
    [".example", undefined],
    ["*.a.example", undefined],
    ["a.example..", undefined],
    ["", undefined],
  ])("%j is compared as %s", (text, domain) => {
    expect(readDomain(text)).toBe(domain);
    expect(Domain.safeParse(text).data).toBe(domain);
  });

  it("says how it is written", () => {
    expect(Domain.safeParse("a.example/x").error?.issues).toEqual([
      { code: "custom", message: 'must be a domain without a path: "free-mint.example"', path: [] },
    ]);
  });
});

describe("a list of a file", () => {
  it("holds its values as they are compared", () => {
    expect(RuleList.parse({ type: "domain", values: ["A.example", "a.example."] })).toEqual({
      type: "domain",
      domains: new Set(["a.example"]),
    });
    expect(RuleList.parse({ type: "fid", values: [7, 1] })).toEqual({ type: "fid", fids: new Set([7, 1]) });
    expect(RuleList.parse({ type: "text", values: ["ＧＭ", "gn"] })).toEqual({
      type: "text",
      texts: new Set(["gm", "gn"]),
      written: new Set(["ＧＭ", "gn"]),
    });
    expect(RuleList.parse({ type: "name", values: ["Ann"] })).toEqual({
      type: "name",
      texts: new Set(["ann"]),
      names: ["Ann"],
      lookAlikes: new Map([...lookAlikeKeys("Ann")].map((key) => [key, "Ann"])),
    });
  });

  it.each([
    [{ type: "fid", values: [0] }],
    [{ type: "fid", values: [1.5] }],
    [{ type: "text", values: [""] }],
    [{ type: "text", values: ["a".repeat(501)] }],
    [{ type: "text", values: Array(10_001).fill("a") }],
    [{ type: "name", values: [""] }],
    [{ type: "domain", values: ["nonsense"] }],
    [{ type: "domain", values: [], colour: "red" }],
    [{ type: "fid", values: [], colour: "red" }],
    [{ type: "text", values: [], colour: "red" }],
    [{ type: "name", values: [], colour: "red" }],
    [{ type: "url", values: [] }],
  ])("is refused: %#", (list) => {
    expect(RuleList.safeParse(list).success).toBe(false);
  });

  it("may be empty, or have ten thousand values of 500 characters", () => {
    expect(RuleList.safeParse({ type: "text", values: [] }).success).toBe(true);
    expect(RuleList.safeParse({ type: "text", values: ["a".repeat(500)] }).success).toBe(true);
    expect(RuleList.safeParse({ type: "fid", values: Array(10_000).fill(1) }).success).toBe(true);
  });
});

describe("the name of a list", () => {
  const lists = new Map([
    ["words", RuleList.parse({ type: "text", values: ["gm"] })],
    ["brands", RuleList.parse({ type: "name", values: ["castle"] })],
    ["raiders", RuleList.parse({ type: "fid", values: [7] })],
  ]);
  const text = listNamed(lists, "text", "name");

  it("stands for the list, of any of the types that are wanted", () => {
    expect(text.parse("words")).toMatchObject({ name: "words", list: { type: "text" } });
    expect(text.parse("brands")).toMatchObject({ name: "brands", list: { type: "name" } });
  });

  it.each([
    ["raiders", "the list raiders is of type fid; here it must be text or name"],
    ["word", 'there is no list "word"; did you mean "words"?'],
  ])("%s is refused: %s", (name, message) => {
    expect(text.safeParse(name).error?.issues).toEqual([{ code: "custom", message, path: [] }]);
  });
});
