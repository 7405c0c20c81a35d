import type { BotContext } from "../src/bot-context.ts";
import { endDeadRooms } from "../src/feed/room-changes.ts";
import type { Worker } from "../src/queue/worker.ts";

/** Ends the feeds of rooms that could be told nothing for a week, so that their events need not be kept. */
export const endFeeds: Worker<BotContext> = {
  name: "end-feeds",
  every: 10 * 60_000,
  run: endDeadRooms,
};
