// @ts-nocheck
import { unknown } from "../evaluate/condition.ts";
import { textEvents } from "../evaluate/occurrence.ts";
import { contains } from "../comparisons/contains.ts";
import { eq } from "../comparisons/eq.ts";
import { inList } from "../comparisons/in-list.ts";
import { isIn } from "../comparisons/in.ts";
import { matches } from "../comparisons/matches.ts";
import { ne } from "../comparisons/ne.ts";
import { startsWith } from "../comparisons/starts-with.ts";
import { textCondition } from "./text-condition.ts";

export const textNotKnown = "the cast's text is not in the index";

/** The text of the cast. */
export const text = textCondition({
  name: "text",
  called: "the text",
  events: textEvents,
  tests: [contains, startsWith, matches, eq, ne, isIn, inList],
  indexed: true,
  read: ({ text }) => (text ? { texts: [text] } : unknown(textNotKnown)),
});
