// @ts-nocheck
import { z } from "zod";
import type { ConditionKind } from "../evaluate/condition.ts";
import { durationBetween } from "../language/duration.ts";
import { askHistory, historyEvents } from "../facts/history.ts";
import { userEvents } from "../evaluate/occurrence.ts";
import { orMore } from "../comparisons/number-tests.ts";
import { measure, readNumber } from "./number-condition.ts";

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
      const called = `${event} by the author within ${within.text}:`;
      return measure({ called, asks: [ask], read: readNumber(ask) }, orMore(gte));
    }),
};
