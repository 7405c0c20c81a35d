import { z } from "zod";
import { readText } from "../rule-text.ts";
import type { TextTestKind } from "./text-test.ts";

/** Has a text in it, whatever its case. */
export const contains: TextTestKind = {
  name: "contains",
  schema: z
    .string()
    .min(1)
    .max(500)
    .transform((wanted, context) => {
      const { folded } = readText(wanted);
      if (folded === "") {
        const message = "is invisible, and so in every text: use matches to look for what does not show";
        context.issues.push({ code: "custom", message, input: wanted });
        return z.NEVER;
      }
      return {
        holds: (text) => text.folded.includes(folded),
        cost: 2,
        sentence: `contains ${JSON.stringify(wanted)}`,
      };
    }),
};
