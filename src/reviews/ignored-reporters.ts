import type { Clock } from "../clock.ts";
import type { Queryable } from "../database/database.ts";

/** Members whose reports the moderators of a channel ignore. */
interface IgnoredReporter {
  guildId: string;
  channelId: string;
  userId: string;
}

/** Ignores a member's reports in a channel; false if they are already ignored. */
export async function ignoreReporter(
  db: Queryable,
  clock: Clock,
  { guildId, channelId, userId }: IgnoredReporter,
  byUser: string,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows = 0n } = await db
    .insertInto("castellan.ignored_reporters")
    .values({
      guild_id: guildId,
      channel_id: channelId,
      user_id: userId,
      ignored_by: byUser,
      ignored_at_ms: clock.now(),
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows > 0n;
}

/** Stops ignoring a member's reports; false if they are not ignored. */
export async function unignoreReporter(
  db: Queryable,
  { guildId, channelId, userId }: IgnoredReporter,
): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom("castellan.ignored_reporters")
    .where("guild_id", "=", guildId)
    .where("channel_id", "=", channelId)
    .where("user_id", "=", userId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Newest first. */
export function listIgnored(db: Queryable, guildId: string, channelId: string) {
  return db
    .selectFrom("castellan.ignored_reporters")
    .selectAll()
    .where("guild_id", "=", guildId)
    .where("channel_id", "=", channelId)
    .orderBy("ignored_at_ms", "desc")
    .execute();
}
