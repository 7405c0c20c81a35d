// @ts-nocheck
import { z } from "zod";
import { atAuthor, type ActionKind } from "../decide/action.ts";
import { userEvents } from "../evaluate/occurrence.ts";

/** Invites the author as member; who moderates is for people to say. */
export const invite: ActionKind = {
  name: "invite",
  events: userEvents,
  schema: z.strictObject({ role: z.literal("member").default("member") }).transform(() => ({
    sentence: "invite the author as member",
    aim: atAuthor((fid) => ({ kind: "invite", fid })),
  })),
};
