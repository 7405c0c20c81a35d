import { describe, expect, it } from "vitest";
import { suggest } from "../../src/text/suggest.ts";

describe("a suggestion", () => {
  it.each([
    ["mdoe", "mode"],
    ["modes", "mode"],
    ["Mode", "mode"],
    ["chanels", "channels"],
  ])("for %s is %s", (written, meant) => {
    expect(suggest(written, ["mode", "channels", "then"])).toBe(`; did you mean "${meant}"?`);
  });

  it("is not made for what resembles nothing", () => {
    expect(suggest("colour", ["mode", "channels", "then"])).toBe("");
  });

  it.each([
    ["abcd", ["abce"], "abce"],
    ["abcd", ["abef"], undefined],
    ["abcde", ["abcfg"], "abcfg"],
    ["abcde", ["abfgh"], undefined],
    ["abc", ["abcd"], "abcd"],
    ["abcd", ["bcd"], "bcd"],
    ["abcd", ["bacd"], "bacd"],
    ["abcd", ["abdc"], "abdc"],
    ["abcd", ["badc"], undefined],
    ["abcdef", ["badcef"], "badcef"],
    ["abcdef", ["abcdgh", "abcdeg"], "abcdeg"],
    ["abcdef", ["xbcdef", "abcdex"], "xbcdef"],
    ["abcdef", ["bcdefa"], "bcdefa"],
    ["abcdef", ["cabdef"], "cabdef"],
    ["abcdef", ["cbadef"], "cbadef"],
    ["ab", ["a"], "a"],
    ["a", ["b"], "b"],
    ["", ["a", "ab"], "a"],
    ["ABC", ["abd"], "abd"],
    ["abcd", ["xacd"], undefined],
    ["abcd", ["bxcd"], undefined],
    ["a", ["bcd"], undefined],
    ["abc", [], undefined],
    [`${"x".repeat(40)}yz!`, ["x".repeat(40)], "x".repeat(40)],
  ])("for %j of %j is %s", (written, candidates, meant) => {
    expect(suggest(written, candidates)).toBe(meant === undefined ? "" : `; did you mean "${meant}"?`);
  });
});
