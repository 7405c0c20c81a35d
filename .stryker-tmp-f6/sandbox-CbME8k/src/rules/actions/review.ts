// @ts-nocheck
import { z } from "zod";
import type { ActionKind } from "../decide/action.ts";
import { ruleEvents } from "../evaluate/occurrence.ts";

/** Asks a person to look. */
export const review: ActionKind = {
  name: "review",
  events: ruleEvents,
  schema: z
    .strictObject({
      queue: z
        .string()
        .regex(/^[a-z0-9][a-z0-9-]{0,39}$/, "must be 1 to 40 of a-z, 0-9 and -")
        .optional(),
    })
    .transform(({ queue }) => ({
      sentence: `hold for review${queue ? ` in ${queue}` : ""}`,
      aim: () => ({ kind: "review", queue: queue ?? null }),
    })),
};
