// @ts-nocheck
import { z } from "zod";
import type { ConditionKind } from "../evaluate/condition.ts";
import { durationBetween } from "../language/duration.ts";
import { askHistory, historyEvents, historyScopes } from "../facts/history.ts";
import { userEvents } from "../evaluate/occurrence.ts";
import { orMore } from "../comparisons/number-tests.ts";
import { measure, readNumber } from "./number-condition.ts";

/** How often something happens in a short time, by the author or in the whole channel, this event included. */
export const rate: ConditionKind = {
  name: "rate",
  events: userEvents,
  schema: z
    .strictObject({
      of: z.enum(historyEvents),
      by: z.enum(historyScopes),
      within: durationBetween("1s", "1d"),
      gte: z.int().min(2).max(10_000),
    })
    .transform(({ of, by, within, gte }) => {
      const ask = askHistory(of, within.seconds, by);
      const called = `${of} ${by === "author" ? "by the author" : "in the channel"} within ${within.text}:`;
      return measure({ called, asks: [ask], read: readNumber(ask) }, orMore(gte));
    }),
};
