import { unknown } from "../evaluate/condition.ts";
import { linksIn } from "../text/links.ts";
import { textEvents } from "../evaluate/occurrence.ts";
import { numberCondition } from "./number-condition.ts";
import { textNotKnown } from "./text.ts";

/** How many web addresses the text has in it. */
export const textLinks = numberCondition({
  name: "text.links",
  called: "the number of links in the text",
  events: textEvents,
  read: ({ text }) => {
    if (!text) return unknown(textNotKnown);
    const missing = text.cut ? "only the first part of this long text was read" : undefined;
    return { measured: linksIn(text.plain).length, missing };
  },
});
