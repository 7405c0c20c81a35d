// @ts-nocheck
import { unknown } from "../evaluate/condition.ts";
import { numberCondition } from "./number-condition.ts";

/** How many users the cast mentions. */
export const mentionsCount = numberCondition({
  name: "mentions.count",
  called: "the number of mentions",
  events: ["cast.created"],
  read: ({ cast }) => {
    const mentions = cast?.mentions ?? null;
    return mentions === null ? unknown("the cast's mentions are not in the index") : { measured: mentions };
  },
});
