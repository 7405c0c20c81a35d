import { z } from "zod";
import { unknown, type ConditionKind } from "../condition.ts";
import { durationBetween } from "../duration.ts";
import { askHistory, historyEvents } from "../facts/history.ts";
import { userEvents } from "../occurrence.ts";

/** How often something happened to the author in the channel, this event included. */
export const history: ConditionKind = {
  name: "history",
  events: userEvents,
  schema: z
    .strictObject({
      event: z.enum(historyEvents),
      by: z.literal("author"),
      within: durationBetween("1m", "90d"),
      gte: z.int().min(1).max(10_000),
    })
    .transform(({ event, within, gte }) => {
      const ask = askHistory(event, within.seconds);
      return {
        asks: [ask],
        cost: 1,
        sentence: `${event} by the author within ${within.text}: ${gte} or more`,
        read: (_occurrence, facts) => {
          const fact = facts.read(ask);
          const { source, at } = fact;
          if (!fact.known) return unknown(fact.why, { source, at });
          return { truth: fact.value >= gte, value: fact.value, source, at };
        },
      };
    }),
};
