// @ts-nocheck
import { z } from "zod";
import { atAuthor, type ActionKind } from "../decide/action.ts";
import { userEvents } from "../evaluate/occurrence.ts";

/** Writes something down about the author, for whoever looks at them next. */
export const note: ActionKind = {
  name: "note",
  events: userEvents,
  schema: z.strictObject({ text: z.string().trim().min(1).max(500) }).transform(({ text }) => ({
    sentence: `note about the author: ${text}`,
    aim: atAuthor((fid) => ({ kind: "note", fid, text })),
  })),
};
