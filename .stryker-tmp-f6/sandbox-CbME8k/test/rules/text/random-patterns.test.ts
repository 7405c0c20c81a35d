// @ts-nocheck
import * as fc from "fast-check";
import { RE2JS } from "re2js";
import { expect, it } from "vitest";
import { literalsOf } from "../../../src/rules/text/pattern-literals.ts";

it("literals of a pattern are in all that the pattern matches", () => {
  const atom = fc.constantFrom(
    "ab",
    "c",
    ".",
    "[bc]",
    "(a|bc)",
    "(?:cab)",
    "\\b",
    "^",
    "a|b",
    "(?i)",
    "(?i:B)",
  );
  const piece = fc
    .tuple(atom, fc.constantFrom("", "", "", "?", "*", "+", "{2}", "{0,2}", "??"))
    .map((both) => both.join(""));
  const patterns = fc.array(piece, { minLength: 1, maxLength: 5 }).map((pieces) => pieces.join(""));
  const texts = fc.string({ unit: fc.constantFrom("a", "b", "c", "B", "C"), maxLength: 10 });
  fc.assert(
    fc.property(patterns, fc.array(texts, { minLength: 5, maxLength: 20 }), (pattern, texts) => {
      const literals = literalsOf(pattern);
      fc.pre(literals !== undefined && !/\*\?\?|[?*+}][?*+{]{2}/.test(pattern));
      const compiled = compile(pattern);
      fc.pre(compiled !== undefined);
      for (const text of texts) {
        if (!compiled?.test(text)) continue;
        expect([pattern, text, literals?.some((one) => text.toLowerCase().includes(one))]).toEqual([
          pattern,
          text,
          true,
        ]);
      }
    }),
    { numRuns: 2000 },
  );
});

function compile(pattern: string): RE2JS | undefined {
  try {
    return RE2JS.compile(pattern);
  } catch {
    return undefined;
  }
}
