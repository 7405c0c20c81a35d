// @ts-nocheck
import { z } from "zod";
import { readText } from "../text/rule-text.ts";
import { WantedText, type TextTestKind } from "./text-test.ts";

/** Has a text in it, whatever its case and whatever script its letters are borrowed from. */
export const contains: TextTestKind = {
  name: "contains",
  schema: WantedText.transform((wanted, context) => {
    const { folded, latin } = readText(wanted);
    if (folded === "") {
      const message = "is invisible, and so in every text: use matches to look for what does not show";
      context.issues.push({ code: "custom", message, input: wanted });
      return z.NEVER;
    }
    return {
      holds: (text) => text.folded.includes(folded) || text.latin.includes(latin),
      cost: 2,
      sentence: `contains ${JSON.stringify(wanted)}`,
      literals: [folded, latin],
    };
  }),
};
