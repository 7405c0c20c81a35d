// @ts-nocheck
import { askCases } from "../facts/author-record.ts";
import { userEvents } from "../evaluate/occurrence.ts";
import { numberCondition, readNumber } from "./number-condition.ts";

/** How often the author was banned, hidden or removed here before. */
export const authorCases = numberCondition({
  name: "author.cases",
  called: "the number of the author's cases",
  events: userEvents,
  asks: [askCases],
  read: readNumber(askCases),
});
