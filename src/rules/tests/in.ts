import { z } from "zod";
import { readText } from "../rule-text.ts";
import type { TextTestKind } from "./text-test.ts";

/** One of several texts, whatever its case. */
export const isIn: TextTestKind = {
  name: "in",
  schema: z
    .array(z.string().min(1).max(500))
    .min(1)
    .max(1000)
    .transform((wanted) => {
      const folded = new Set(wanted.map((text) => readText(text).folded));
      const shown = wanted.slice(0, 5).join(", ");
      const rest = wanted.length > 5 ? `, … (${wanted.length})` : "";
      return { holds: (text) => folded.has(text.folded), cost: 1, sentence: `is one of ${shown}${rest}` };
    }),
};
