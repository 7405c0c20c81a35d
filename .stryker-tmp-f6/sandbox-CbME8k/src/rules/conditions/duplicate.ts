// @ts-nocheck
import { z } from "zod";
import type { ConditionKind } from "../evaluate/condition.ts";
import { durationBetween } from "../language/duration.ts";
import { askDuplicates } from "../facts/duplicates.ts";
import { historyScopes } from "../facts/history.ts";
import { orMore } from "../comparisons/number-tests.ts";
import { measure, readNumber } from "./number-condition.ts";

/** How often the same is said, by the author or by anybody in the channel, this cast included. */
export const duplicate: ConditionKind = {
  name: "duplicate",
  events: ["cast.created"],
  schema: z
    .strictObject({
      of: z.literal("text"),
      by: z.enum(historyScopes),
      within: durationBetween("1m", "30d"),
      gte: z.int().min(2).max(10_000),
    })
    .transform(({ by, within, gte }) => {
      const ask = askDuplicates(by, within.seconds);
      const called = `the same text ${by === "author" ? "by the author" : "in the channel"} within ${within.text}:`;
      return measure({ called, asks: [ask], read: readNumber(ask) }, orMore(gte));
    }),
};
