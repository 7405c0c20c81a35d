// @ts-nocheck
import { z } from "zod";
import type { NeedsLists } from "../language/rule-list.ts";
import type { TextTest, TextTestKind } from "./text-test.ts";

/** One of the texts of a list of the file, whatever its case. */
export const inList: TextTestKind = {
  name: "in_list",
  schema: z.string().transform((name): NeedsLists<TextTest> => ({
    uses: [{ name, types: ["text", "name"], path: [] }],
    withLists: ([list]) => {
      const texts = list && "texts" in list ? list.texts : new Set<string>();
      return {
        holds: (text) => texts.has(text.folded),
        cost: 1,
        sentence: `is in the list ${name}`,
        literals: [...texts],
      };
    },
  })),
};
