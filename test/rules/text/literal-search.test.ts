import { describe, expect, it } from "vitest";
import { LiteralSearch } from "../../../src/rules/text/literal-search.ts";

const find = (literals: string[], text: string) => {
  const found: string[] = [];
  const search = new LiteralSearch(literals.map((literal) => ({ literal, value: literal })));
  search.find(text, { add: (value) => void found.push(value) });
  return found;
};

describe("a search for many literals", () => {
  it.each([
    [["abc"], "abc", ["abc"]],
    [["abc"], "xabc", ["abc"]],
    [["abc"], "abcx", ["abc"]],
    [["abc"], "ab", []],
    [["abc"], "", []],
    [["abc"], "abxabc", ["abc"]],
    [["abcd"], "abce", []],
    [["abcd"], "xbcd", []],
    [["a", "ab"], "xab", ["a", "ab"]],
    [["a", "ab"], "xb", []],
    [["abcx", "abcy"], "abcy", ["abcy"]],
    [["abcx", "abcy", "abcz"], "abcz abcx", ["abcz", "abcx"]],
    [["xabc", "yabc"], "yabc", ["yabc"]],
    [["aabc", "babc", "abcd"], "babcd", ["babc", "abcd"]],
    [["привет"], "ну привет", ["привет"]],
    [["abc", "abc"], "abc", ["abc", "abc"]],
    [["abc"], "abcabc", ["abc", "abc"]],
    [[], "abc", []],
    [[], "undefined", []],
  ])("of %j in %j finds %j", (literals, text, expected) => {
    expect(find(literals, text)).toEqual(expected);
  });

  it("looks a literal up by what few others have in them", () => {
    const alike = Array.from(
      { length: 50 },
      (_, index) => `https://${String.fromCharCode(0x4e00 + index)}.example`,
    );
    const looked: number[] = [];
    const text = alike.join(" ");
    // Each comparison is with one place of the text; by their common beginning it would be fifty for each of fifty.
    const startsWith = (literal: string, at: number) => {
      looked.push(at);
      return text.startsWith(literal, at);
    };
    const counted = Object.assign(Object(text), { startsWith });
    new LiteralSearch(alike.map((literal) => ({ literal, value: literal }))).find(counted, {
      add: () => undefined,
    });
    expect(looked).toHaveLength(50);
  });
});
