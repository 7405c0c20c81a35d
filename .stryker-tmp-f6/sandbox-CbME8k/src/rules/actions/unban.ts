// @ts-nocheck
import { z } from "zod";
import { atAuthor, type ActionKind } from "../decide/action.ts";
import { userEvents } from "../evaluate/occurrence.ts";

/** Lifts the author's ban; they stay restricted. */
export const unban: ActionKind = {
  name: "unban",
  events: userEvents,
  schema: z.strictObject({}).transform(() => ({
    sentence: "lift the author's ban",
    aim: atAuthor((fid) => ({ kind: "unban", fid })),
  })),
};
