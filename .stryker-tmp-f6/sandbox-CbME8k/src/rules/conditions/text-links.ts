// @ts-nocheck
import { unknown } from "../evaluate/condition.ts";
import { countLinks } from "../text/links.ts";
import { textEvents } from "../evaluate/occurrence.ts";
import { numberCondition } from "./number-condition.ts";
import { textNotKnown } from "./text.ts";

/** How many web addresses the cast has, in its text or embedded. */
export const textLinks = numberCondition({
  name: "text.links",
  called: "the number of links in the cast",
  events: textEvents,
  read: ({ cast, text }) => {
    if (!text) return unknown(textNotKnown);
    const uncounted = cast ? undefined : "what the cast embeds is not in the index";
    const missing = text.cut ? "only the first part of this long text was read" : uncounted;
    return { measured: countLinks({ cast, text }), missing };
  },
});
