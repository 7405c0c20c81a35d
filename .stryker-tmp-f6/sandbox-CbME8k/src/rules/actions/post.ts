// @ts-nocheck
import { z } from "zod";
import type { ActionKind } from "../decide/action.ts";
import { ruleEvents } from "../evaluate/occurrence.ts";

/** Writes into one room of the server, which must have a feed. */
export const post: ActionKind = {
  name: "post",
  events: ruleEvents,
  schema: z
    .strictObject({
      room: z.string().regex(/^[0-9]{1,20}$/, 'must be the id of a Discord room, in quotes: "123456789"'),
      text: z.string().trim().min(1).max(1000),
    })
    .transform(({ room, text }) => ({
      sentence: `post into room ${room}: ${text}`,
      aim: () => ({ kind: "alert", text, roomId: room }),
    })),
};
