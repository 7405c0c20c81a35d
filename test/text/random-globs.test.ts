import * as fc from "fast-check";
import { expect, it } from "vitest";
import { fitsGlob } from "../../src/text/glob.ts";

it("a pattern of channels says the same as a regular expression", () => {
  const word = fc.string({ unit: fc.constantFrom("a", "b", "*"), maxLength: 8 });
  const id = fc.string({ unit: fc.constantFrom("a", "b"), maxLength: 10 });
  fc.assert(
    fc.property(word, id, (glob, id) => {
      expect(fitsGlob(glob, id)).toBe(new RegExp(`^${glob.replaceAll("*", ".*")}$`).test(id));
    }),
  );
});
