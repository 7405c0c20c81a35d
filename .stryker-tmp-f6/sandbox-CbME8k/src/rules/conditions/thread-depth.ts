// @ts-nocheck
import { unknown } from "../evaluate/condition.ts";
import { textEvents } from "../evaluate/occurrence.ts";
import { numberCondition } from "./number-condition.ts";

export const castNotKnown = "the cast is not in the index";

/** How many casts up the thread's first one is; 0 for the first. */
export const threadDepth = numberCondition({
  name: "thread.depth",
  called: "the depth in the thread",
  events: textEvents,
  read: ({ cast }) => (cast ? { measured: cast.threadDepth } : unknown(castNotKnown)),
});
