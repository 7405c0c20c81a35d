// @ts-nocheck
import { readText } from "../text/rule-text.ts";
import { showSome, WantedTexts, type TextTestKind } from "./text-test.ts";

/** One of several texts, whatever its case. */
export const isIn: TextTestKind = {
  name: "in",
  schema: WantedTexts.transform((wanted) => {
    const folded = new Set(wanted.map((text) => readText(text).folded));
    return {
      holds: (text) => folded.has(text.folded),
      cost: 1,
      sentence: `is one of ${showSome(wanted)}`,
      literals: [...folded],
    };
  }),
};
