import type { Queryable } from "../database/database.ts";

/** The time zone in which a server's members mean the times that they type; UTC if it has not chosen one. */
export async function findTimeZone(query: Queryable, guildId: string): Promise<string> {
  const row = await query
    .selectFrom("castellan.time_zones")
    .select("zone")
    .where("guild_id", "=", guildId)
    .executeTakeFirst();
  return row?.zone ?? "UTC";
}

/** `zone` as `readTimeZone` returns it. */
export async function saveTimeZone(query: Queryable, guildId: string, zone: string): Promise<void> {
  await query
    .insertInto("castellan.time_zones")
    .values({ guild_id: guildId, zone })
    .onConflict((conflict) => conflict.column("guild_id").doUpdateSet({ zone }))
    .execute();
}
