// @ts-nocheck
import { z } from "zod";
import { unknown, type ConditionKind } from "../evaluate/condition.ts";
import { durationBetween } from "../language/duration.ts";
import { askNameHistory } from "../facts/name-history.ts";
import { userEvents } from "../evaluate/occurrence.ts";
import { orMore } from "../comparisons/number-tests.ts";
import { measure } from "./number-condition.ts";

/** How often the author came by a name lately. */
export const authorNameChanges: ConditionKind = {
  name: "author.name_changes",
  events: userEvents,
  schema: z
    .strictObject({ within: durationBetween("1h", "365d"), gte: z.int().min(1).max(100) })
    .transform(({ within, gte }) =>
      measure(
        {
          called: `the number of names that the author took within ${within.text}:`,
          asks: [askNameHistory],
          read: ({ event: { occurredAt } }, facts) => {
            const fact = facts.read(askNameHistory);
            const { source, at } = fact;
            if (!fact.known) return unknown(fact.why, { source, at });
            const recent = fact.value.gained.filter(
              (time) => time > occurredAt - within.seconds && time <= occurredAt,
            );
            return { measured: recent.length, source, at };
          },
        },
        orMore(gte),
      ),
    ),
};
