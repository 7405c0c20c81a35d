// @ts-nocheck
import { unknown } from "../evaluate/condition.ts";
import { textEvents } from "../evaluate/occurrence.ts";
import { numberCondition } from "./number-condition.ts";
import { textNotKnown } from "./text.ts";

/** How many characters the text has, as people count them, without what does not show. */
export const textLength = numberCondition({
  name: "text.length",
  called: "the text's length",
  events: textEvents,
  read: ({ text }) => {
    if (!text) return unknown(textNotKnown);
    const missing = text.cut ? "only the first part of this long text was read" : undefined;
    return { measured: Array.from(text.plain).length, missing };
  },
});
