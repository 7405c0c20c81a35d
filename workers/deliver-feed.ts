import type { BotContext } from "../src/bot-context.ts";
import { deliverAll } from "../src/feed/deliver/deliver-all.ts";
import type { Rooms } from "../src/feed/rooms.ts";
import type { Worker } from "../src/queue/worker.ts";

/** Tells the rooms what waits for them; woken when events were stored, and every second for what a crash left. */
export const deliverFeed: Worker<BotContext & { rooms: Rooms }> = {
  name: "deliver-feed",
  every: 1000,
  run: (context) => deliverAll(context, context.rooms),
};
