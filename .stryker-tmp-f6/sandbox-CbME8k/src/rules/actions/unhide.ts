// @ts-nocheck
import { z } from "zod";
import { atCast, presentCastEvents, type ActionKind } from "../decide/action.ts";

/** Shows the cast again. */
export const unhide: ActionKind = {
  name: "unhide",
  events: presentCastEvents,
  schema: z.strictObject({}).transform(() => ({
    sentence: "show the cast again",
    aim: atCast((castHash) => ({ kind: "unhide", castHash })),
  })),
};
