// @ts-nocheck
import { z } from "zod";
import { readText } from "../text/rule-text.ts";
import { WantedText, type TextTestKind } from "./text-test.ts";

/** Begins with a text, whatever its case and whatever script its letters are borrowed from. */
export const startsWith: TextTestKind = {
  name: "starts_with",
  schema: WantedText.transform((wanted, context) => {
    const { folded, latin } = readText(wanted);
    if (folded === "") {
      const message = "is invisible, and every text begins with it";
      context.issues.push({ code: "custom", message, input: wanted });
      return z.NEVER;
    }
    return {
      holds: (text) => text.folded.startsWith(folded) || text.latin.startsWith(latin),
      cost: 1,
      sentence: `starts with ${JSON.stringify(wanted)}`,
      literals: [folded, latin],
    };
  }),
};
