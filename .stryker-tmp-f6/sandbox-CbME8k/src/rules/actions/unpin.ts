// @ts-nocheck
import { z } from "zod";
import type { ActionKind } from "../decide/action.ts";
import { ruleEvents } from "../evaluate/occurrence.ts";

/** Unpins the event's cast; on an event without one, whatever is pinned. */
export const unpin: ActionKind = {
  name: "unpin",
  events: ruleEvents,
  schema: z.strictObject({}).transform(() => ({
    sentence: "unpin the cast",
    aim: ({ event: { data } }) => ({ kind: "unpin", castHash: "castHash" in data ? data.castHash : null }),
  })),
};
