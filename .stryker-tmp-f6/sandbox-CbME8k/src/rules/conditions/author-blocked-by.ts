// @ts-nocheck
import { unknown } from "../evaluate/condition.ts";
import { askBlockers } from "../facts/blockers.ts";
import { userEvents } from "../evaluate/occurrence.ts";
import { numberCondition } from "./number-condition.ts";

/** How many of the channel's moderators and members block the author. */
export const authorBlockedBy = numberCondition({
  name: "author.blocked_by",
  called: "the number of people of the channel who block the author",
  events: userEvents,
  asks: [askBlockers],
  read: (_occurrence, facts) => {
    const fact = facts.read(askBlockers);
    const { source, at } = fact;
    if (!fact.known) return unknown(fact.why, { source, at });
    return { measured: fact.value.count, missing: fact.value.missing, source, at };
  },
});
