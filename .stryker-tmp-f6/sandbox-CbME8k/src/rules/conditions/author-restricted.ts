// @ts-nocheck
import { askRestriction } from "../facts/restriction.ts";
import { userEvents } from "../evaluate/occurrence.ts";
import { flagCondition, readFlag } from "./flag-condition.ts";

/** Whether the author may join the channel only by invite. */
export const authorRestricted = flagCondition({
  name: "author.restricted",
  events: userEvents,
  yes: "the author is restricted",
  no: "the author is not restricted",
  asks: [askRestriction],
  read: readFlag(askRestriction),
});
