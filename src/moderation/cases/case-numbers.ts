import { sql } from "kysely";
import type { Tx } from "../../database/database.ts";
import type { Scope } from "./case.ts";

/**
 * Locks a server's case numbers until the transaction ends: its channels share them. Cases of several servers lock in the
 * order of the servers' ids.
 */
export async function lockCaseNumbers(tx: Tx, ...guildIds: readonly string[]): Promise<void> {
  // On its own, because a statement does not see what was written while it waited for its locks.
  await sql`
    select pg_advisory_xact_lock(hashtextextended('case numbers ' || guild_id, 0))
    from (select distinct guild_id from unnest(${guildIds}::text[]) as asked (guild_id) order by guild_id) as servers
  `.execute(tx);
}

/**
 * Takes `count` case numbers of a server, for a channel; returns the first. The caller has locked them. Each channel stores
 * its last number, so that numbers from when channels counted separately are not used again.
 */
export async function takeNumbers(tx: Tx, { guildId, channelId }: Scope, count: number): Promise<number> {
  const { rows } = await sql<{ first: number }>`
    insert into castellan.case_numbers as own (guild_id, channel_id, last_number)
    select ${guildId}, ${channelId}, coalesce(max(last_number), 0) + ${count}::integer
    from castellan.case_numbers where guild_id = ${guildId}
    -- A process of an earlier version locks only the channel's row, and may just have raised it.
    on conflict (guild_id, channel_id) do update
    set last_number = greatest(own.last_number + ${count}::integer, excluded.last_number)
    returning last_number - ${count}::integer + 1 as first
  `.execute(tx);
  const [row] = rows;
  if (!row) throw new Error("no case numbers were returned");
  return row.first;
}
