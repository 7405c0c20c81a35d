// @ts-nocheck
import { z } from "zod";
import { atAuthor, type ActionKind } from "../decide/action.ts";
import { userEvents } from "../evaluate/occurrence.ts";

/** Takes the author's membership, which leaves them restricted. */
export const removeMember: ActionKind = {
  name: "remove_member",
  events: userEvents,
  schema: z.strictObject({}).transform(() => ({
    sentence: "remove the author from the members",
    aim: atAuthor((fid) => ({ kind: "remove_member", fid })),
  })),
};
