import * as fc from "fast-check";
import { expect, it } from "vitest";
import { LiteralSearch } from "../../../src/rules/text/literal-search.ts";

it("a search for many literals finds those that are in the text, as looking for each of them does", () => {
  const letters = fc.string({ unit: fc.constantFrom("a", "b", "c", "я"), minLength: 1, maxLength: 5 });
  const text = fc.string({ unit: fc.constantFrom("a", "b", "c", "я"), maxLength: 40 });
  fc.assert(
    fc.property(fc.uniqueArray(letters, { maxLength: 30 }), text, (literals, text) => {
      const found = new Set<string>();
      new LiteralSearch(literals.map((literal) => ({ literal, value: literal }))).find(text, found);
      expect(found).toEqual(new Set(literals.filter((literal) => text.includes(literal))));
    }),
  );
});
