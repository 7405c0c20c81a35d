import type { CommandContext } from "../../src/discord/command-context.ts";
import type { View } from "../../src/discord/view.ts";

/** Shows in every room where the item was told how it stands now. What cannot be edited says so when it is clicked. */
export async function refreshMessages(
  { database, rooms, log }: CommandContext,
  itemId: number,
  { embeds = [], buttons = [] }: View,
): Promise<void> {
  const messages = await database.query
    .selectFrom("castellan.events as event")
    .innerJoin("castellan.feed_rows as row", "row.event_id", "event.id")
    .innerJoin("castellan.feed_messages as message", "message.id", "row.message_id")
    .select(["message.id", "message.room_id", "message.discord_id"])
    .where("event.source_key", "=", `held ${itemId}`)
    .where("message.discord_id", "is not", null)
    .execute();
  const edits = messages.map(async ({ id, room_id, discord_id }) => {
    try {
      await rooms.edit(room_id, discord_id ?? "", { nonce: `feed-${id}`, embeds, buttons });
    } catch (error) {
      log.warn({ err: error, room: room_id, itemId }, "a review message could not be edited");
    }
  });
  await Promise.all(edits);
}
