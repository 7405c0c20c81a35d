// @ts-nocheck
import { readText } from "../text/rule-text.ts";
import { WantedText, type TextTestKind } from "./text-test.ts";

/** The same text, whatever its case. */
export const eq: TextTestKind = {
  name: "eq",
  schema: WantedText.transform((wanted) => {
    const { folded } = readText(wanted);
    return {
      holds: (text) => text.folded === folded,
      cost: 1,
      sentence: `is ${JSON.stringify(wanted)}`,
      literals: [folded],
    };
  }),
};
