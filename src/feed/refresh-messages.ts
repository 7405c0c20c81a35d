import type { BotContext } from "../bot-context.ts";
import type { RoomMessage, Rooms } from "./rooms.ts";

/**
 * Shows what became of an event, by its key, in every message that told of it. What cannot be edited is logged and left as
 * it is.
 */
export async function refreshMessages(
  { database, rooms, log }: Pick<BotContext, "database" | "log"> & { rooms: Rooms },
  sourceKey: string,
  content: Omit<RoomMessage, "nonce">,
): Promise<void> {
  const messages = await database.query
    .selectFrom("castellan.events as event")
    .innerJoin("castellan.feed_rows as row", "row.event_id", "event.id")
    .innerJoin("castellan.feed_messages as message", "message.id", "row.message_id")
    .select(["message.id", "message.room_id", "message.discord_id"])
    .where("event.source_key", "=", sourceKey)
    .where("message.discord_id", "is not", null)
    .execute();
  const edits = messages.map(async ({ id, room_id, discord_id }) => {
    try {
      await rooms.edit(room_id, discord_id ?? "", { nonce: `feed-${id}`, ...content });
    } catch (error) {
      log.warn({ err: error, room: room_id, event: sourceKey }, "a message could not be edited");
    }
  });
  await Promise.all(edits);
}
