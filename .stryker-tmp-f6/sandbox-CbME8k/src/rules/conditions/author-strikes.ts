// @ts-nocheck
import { askStrikes } from "../facts/author-record.ts";
import { userEvents } from "../evaluate/occurrence.ts";
import { numberCondition, readNumber } from "./number-condition.ts";

/** The points against the author that still count. */
export const authorStrikes = numberCondition({
  name: "author.strikes",
  called: "the author's strikes",
  events: userEvents,
  asks: [askStrikes],
  read: readNumber(askStrikes),
});
