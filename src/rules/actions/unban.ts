import { z } from "zod";
import { atAuthor, type ActionKind } from "../action.ts";
import { userEvents } from "../occurrence.ts";

/** Lifts the author's ban; they stay restricted. */
export const unban: ActionKind = {
  name: "unban",
  events: userEvents,
  schema: z.strictObject({}).transform(() => ({
    sentence: "lift the author's ban",
    aim: atAuthor((fid) => ({ kind: "unban", fid })),
  })),
};
