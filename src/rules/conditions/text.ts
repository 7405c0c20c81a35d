import { textEvents } from "../occurrence.ts";
import { contains } from "../tests/contains.ts";
import { matches } from "../tests/matches.ts";
import { textCondition } from "./text-condition.ts";

/** The text of the cast. */
export const text = textCondition({
  name: "text",
  events: textEvents,
  tests: [contains, matches],
  read: (occurrence) => occurrence.text,
  absent: "the cast's text is not in the index",
});
