import { expect, it } from "vitest";
import { LineCounter } from "yaml";
import { findTooDeep } from "../../../src/rules/language/read-source.ts";

it.each([
  ["a", 0, 0],
  ["a", 1, undefined],
  ["a: b", 1, 3],
  ["a: b", 2, undefined],
  ["a:\n  b:\n    c: d", 3, 15],
  ["a:\n  b:\n    c: d", 4, undefined],
  ["[a, [b, [c]]]", 3, 9],
  ["[a, [b, [c]]]", 4, undefined],
  ["- - - a", 3, 6],
  ["? [[a]]\n: b", 3, 4],
  ["? [[a]]\n: b", 4, undefined],
  ["a\n---\n[[b]]", 2, 8],
  ["", 0, undefined],
])("%j is nested deeper than %i at %s", (text, limit, offset) => {
  expect(findTooDeep(text, limit, new LineCounter())).toBe(offset);
});

it("counts the lines on the way", () => {
  const lines = new LineCounter();
  findTooDeep("a: b\nc: d\n", 9, lines);
  expect(lines.linePos(8)).toEqual({ line: 2, col: 4 });
});
