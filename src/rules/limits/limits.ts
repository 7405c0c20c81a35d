import { z } from "zod";
import { durationBetween } from "../language/duration.ts";

/** How often a rule may act. */
export const Limits = z
  .strictObject({
    cooldown: z
      .strictObject({ per: z.enum(["author", "channel", "rule"]), for: durationBetween("1s", "30d") })
      .optional(),
    breaker: z
      .strictObject({
        max: z.int().min(1).max(10_000),
        per: durationBetween("1m", "7d"),
        then: z.enum(["review", "shadow", "off"]).default("review"),
      })
      .optional(),
  })
  .prefault({});
export type Limits = z.output<typeof Limits>;
export type Cooldown = NonNullable<Limits["cooldown"]>;
export type Breaker = NonNullable<Limits["breaker"]>;
