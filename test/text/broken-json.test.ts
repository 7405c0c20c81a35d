import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findJsonMistake } from "../../src/text/broken-json.ts";
import { soak } from "../support/services.ts";

describe("where a text stops being JSON", () => {
  it.each([
    ['{"a": 1,}', 1, 9, /a name in double quotes/],
    ["[1, 2,]", 1, 7, /a value is expected/],
    ['{\n  "a": [1,\n  2\n', 4, 1, /ends too early: a comma or \]/],
    ["{'a': 1}", 1, 2, /double quotes/],
    ['{"a" 1}', 1, 6, /a colon/],
    ['{"a": 01}', 1, 7, /a value/],
    ['{"a": "x\ny"}', 1, 9, /must not contain a line break/],
    ['{"a": "x', 1, 7, /no closing/],
    ['["\\x"]', 1, 3, /escape/],
    ["{} {}", 1, 4, /nothing may follow/],
    ["", 1, 1, /ends too early: a value/],
    ["nul", 1, 1, /a value/],
    ["[1}", 1, 3, /a comma or \]/],
  ])("%j: line %i, column %i", (text, line, column, why) => {
    expect(findJsonMistake(text)).toEqual({ line, column, why: expect.stringMatching(why) });
  });

  it("is found exactly where Node finds that it is none", () => {
    const pieces = fc.constantFrom(
      ...'{}[],:"\\ \n-0e.1tu'.split(""),
      '"a"',
      "true",
      "null",
      "1.5e3",
      '{"a":1}',
      "[]",
    );
    const broken = fc.array(pieces, { maxLength: 12 }).map((some) => some.join(""));
    const cut = fc
      .tuple(fc.json(), fc.nat(60), pieces)
      .map(([text, at, piece]) => text.slice(0, at) + piece + text.slice(at + 1));
    fc.assert(
      fc.property(fc.oneof(broken, cut, fc.json()), (text) => {
        expect(findJsonMistake(text) === undefined, text).toBe(isJson(text));
      }),
      { numRuns: 3000 * Number(soak ?? 1) },
    );
  });

  it("takes a text of megabytes", () => {
    expect(findJsonMistake(JSON.stringify(["x".repeat(5_000_000), "\\".repeat(1_000_000)]))).toBeUndefined();
  });
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
