import type { BotContext } from "../src/bot-context.ts";
import { editMessages } from "../src/feed/deliver/edit-messages.ts";
import type { Rooms } from "../src/feed/rooms.ts";
import type { Worker } from "../src/queue/worker.ts";
import { repeatErasures } from "../src/retention/erase-author.ts";

/** Goes on with what `castellan history erase` began: what was on its way then, and what stands in Discord. */
export const eraseAuthors: Worker<BotContext & { rooms: Rooms }> = {
  name: "erase-authors",
  every: 30_000,
  async run(context, { signal }) {
    await repeatErasures(context);
    await editMessages(context, context.rooms, signal);
  },
};
