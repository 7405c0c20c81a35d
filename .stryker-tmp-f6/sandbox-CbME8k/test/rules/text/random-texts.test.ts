// @ts-nocheck
import * as fc from "fast-check";
import { expect, it } from "vitest";
import { readText } from "../../../src/rules/text/rule-text.ts";

it("a text stays as it is when it is normalised again", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 200 }), (raw) => {
      const { plain } = readText(raw);
      expect(readText(plain).plain).toBe(plain);
    }),
  );
});
