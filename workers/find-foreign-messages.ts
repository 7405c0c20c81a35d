import type { BotContext } from "../src/bot-context.ts";
import { findForeignMessages as find } from "../src/feed/find-foreign-messages.ts";
import type { Rooms } from "../src/feed/rooms.ts";
import type { Worker } from "../src/queue/worker.ts";

/** Notices a second Castellan that posts with the same token. */
export const findForeignMessages: Worker<BotContext & { rooms: Rooms }> = {
  name: "find-foreign-messages",
  every: 60_000,
  run: (context, { signal }) => find(context, context.rooms, signal),
};
