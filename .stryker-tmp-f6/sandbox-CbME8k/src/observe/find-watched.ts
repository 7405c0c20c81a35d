// @ts-nocheck
import { sql } from "kysely";
import type { Queryable } from "../database/database.ts";

/** The channel as the sources know it, as long as somebody is linked to it. */
export async function findWatched(
  db: Queryable,
  channelId: string,
): Promise<{ url: string; since_ms: number } | undefined> {
  return db
    .selectFrom("castellan.watched_channels as watched")
    .select(["url", "since_ms"])
    .where("channel_id", "=", channelId)
    .where(sql<boolean>`exists (select from castellan.links where links.channel_id = watched.channel_id)`)
    .executeTakeFirst();
}

/** Every channel that is polled, for the workers. */
export async function listWatched(db: Queryable): Promise<string[]> {
  const rows = await db
    .selectFrom("castellan.watched_channels")
    .select("channel_id")
    .orderBy("channel_id")
    .execute();
  return rows.map((row) => row.channel_id);
}
