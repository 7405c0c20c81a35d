import type { BotContext } from "../../src/bot-context.ts";
import type { Rooms } from "../../src/feed/rooms.ts";
import { senders } from "../../workers/senders.ts";
import { sendOutbox } from "../../src/outbox/send-outbox.ts";

/** One run of the worker that sends what is in the outbox. */
export function sendNow(bot: BotContext, rooms: Rooms): Promise<void> {
  return sendOutbox({ ...bot, rooms }, senders, new AbortController().signal);
}
