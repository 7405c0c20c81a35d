// @ts-nocheck
import { z } from "zod";
import { atCast, presentCastEvents, type ActionKind } from "../decide/action.ts";

/** Pins the cast; a rule never notifies anybody of it. */
export const pin: ActionKind = {
  name: "pin",
  events: presentCastEvents,
  schema: z.strictObject({}).transform(() => ({
    sentence: "pin the cast",
    aim: atCast((castHash) => ({ kind: "pin", castHash })),
  })),
};
