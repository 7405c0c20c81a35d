import type { Clock } from "../../clock.ts";
import type { Queryable } from "../../database/database.ts";

/** The strike points that count against a user in a channel of a server now. */
export async function countStrikes(
  db: Queryable,
  clock: Clock,
  guildId: string,
  channelId: string,
  fid: number,
): Promise<number> {
  const { total } = await db
    .selectFrom("castellan.strikes")
    .select((query) => query.fn.sum<number | null>("points").as("total"))
    .where("guild_id", "=", guildId)
    .where("channel_id", "=", channelId)
    .where("fid", "=", fid)
    .where((is) => is.or([is("expires_at_ms", "is", null), is("expires_at_ms", ">", clock.now())]))
    .executeTakeFirstOrThrow();
  return total ?? 0;
}

/** What rules wrote down about a user, newest first. */
export function listNotes(db: Queryable, guildId: string, channelId: string, fid: number, limit: number) {
  return db
    .selectFrom("castellan.user_notes")
    .select(["text", "rule_id", "written_at_ms"])
    .where("guild_id", "=", guildId)
    .where("channel_id", "=", channelId)
    .where("fid", "=", fid)
    .orderBy("id", "desc")
    .limit(limit)
    .execute();
}
