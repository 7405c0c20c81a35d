import { randomUUID } from "node:crypto";
import type { BotContext } from "../bot-context.ts";
import { newEvent } from "../observe/events.ts";
import type { Feed } from "./feeds.ts";

/** Has a test told in the feed's room, as all else is told. Gives the event's number. */
export async function requestTest(context: BotContext, feed: Feed, userId: string): Promise<number> {
  const { id: feedId, guildId, roomId, kinds } = feed;
  const event = newEvent(context.clock.now(), {
    sourceKey: `test ${feedId} ${randomUUID()}`,
    kind: "feed.tested",
    channelId: null,
    data: { guildId, roomId, feedId, userId, kinds },
  });
  const [stored] = await context.database.transaction((tx) => context.appendEvents(tx, [event]));
  if (!stored) throw new Error("a test was not stored");
  return stored.id;
}

/** How an event stands in a room: "waiting" until it is bound to a message. */
export async function findTest(
  { database }: BotContext,
  roomId: string,
  eventId: number,
): Promise<{ state: "waiting" | "bound" | "blocked" | "sent" | "parked"; error: string | null }> {
  const found = await database.query
    .selectFrom("castellan.feed_rows as row")
    .innerJoin("castellan.feed_messages as message", "message.id", "row.message_id")
    .select(["state", "error"])
    .where("row.room_id", "=", roomId)
    .where("row.event_id", "=", eventId)
    .executeTakeFirst();
  return found ?? { state: "waiting", error: null };
}
