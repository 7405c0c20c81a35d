// @ts-nocheck
import { unknown } from "../evaluate/condition.ts";
import { Span, showSpan } from "../language/duration.ts";
import { askNameHistory } from "../facts/name-history.ts";
import { userEvents } from "../evaluate/occurrence.ts";
import { numberTests } from "../comparisons/number-tests.ts";
import { numberCondition } from "./number-condition.ts";

/** How long the author has held their name. */
export const authorNameAge = numberCondition({
  name: "author.name_age",
  called: "the age of the author's name",
  events: userEvents,
  tests: numberTests(Span),
  show: showSpan,
  asks: [askNameHistory],
  read: ({ event }, facts) => {
    const fact = facts.read(askNameHistory);
    const { source, at } = fact;
    if (!fact.known) return unknown(fact.why, { source, at });
    const { heldSince } = fact.value;
    if (heldSince === null) return unknown("the author holds no name", { source, at });
    return { measured: Math.max(0, event.occurredAt - heldSince), source, at };
  },
});
