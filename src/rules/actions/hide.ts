import { z } from "zod";
import type { ActionKind } from "../action.ts";

/** Hides the cast that the event is about. */
export const hide: ActionKind = {
  name: "hide",
  events: ["cast.created"],
  schema: z.strictObject({}).transform(() => ({
    sentence: "hide the cast",
    aim: ({ event }) =>
      event.kind === "cast.created"
        ? { kind: "hide", castHash: event.data.castHash }
        : { impossible: "the event is not about a new cast" },
  })),
};
