// @ts-nocheck
import { z } from "zod";
import { atCast, presentCastEvents, type ActionKind } from "../decide/action.ts";

/** Hides the cast that the event is about. */
export const hide: ActionKind = {
  name: "hide",
  events: presentCastEvents,
  schema: z.strictObject({}).transform(() => ({
    sentence: "hide the cast",
    aim: atCast((castHash) => ({ kind: "hide", castHash })),
  })),
};
