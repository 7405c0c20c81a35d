// @ts-nocheck
import { z } from "zod";
import type { ActionKind } from "../decide/action.ts";
import { ruleEvents } from "../evaluate/occurrence.ts";

/** Calls for people in every room that hears of rules. */
export const alert: ActionKind = {
  name: "alert",
  events: ruleEvents,
  schema: z
    .strictObject({ text: z.string().trim().min(1).max(500).default("A rule asks for a look at this.") })
    .transform(({ text }) => ({
      sentence: `alert: ${text}`,
      aim: () => ({ kind: "alert", text, roomId: null }),
    })),
};
