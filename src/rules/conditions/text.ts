import { unknown } from "../condition.ts";
import { textEvents } from "../occurrence.ts";
import { contains } from "../tests/contains.ts";
import { eq } from "../tests/eq.ts";
import { inList } from "../tests/in-list.ts";
import { isIn } from "../tests/in.ts";
import { matches } from "../tests/matches.ts";
import { ne } from "../tests/ne.ts";
import { startsWith } from "../tests/starts-with.ts";
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
