// @ts-nocheck
import { readText } from "../text/rule-text.ts";
import { WantedText, type TextTestKind } from "./text-test.ts";

/** Another text, whatever its case. */
export const ne: TextTestKind = {
  name: "ne",
  schema: WantedText.transform((wanted) => {
    const { folded } = readText(wanted);
    return {
      holds: (text) => text.folded !== folded,
      cost: 1,
      sentence: `is not ${JSON.stringify(wanted)}`,
    };
  }),
};
