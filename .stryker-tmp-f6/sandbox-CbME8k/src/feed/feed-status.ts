// @ts-nocheck
import { sql } from "kysely";
import type { BotContext } from "../bot-context.ts";
import type { LaneState } from "./feeds.ts";

export interface RoomStatus extends LaneState {
  roomId: string;
  guildId: string;
  /** When the oldest waiting event was observed, UNIX milliseconds; null when nothing waits. */
  oldestMs: number | null;
  /** UNIX milliseconds of the last message; null before the first. */
  deliveredAtMs: number | null;
}

/** How delivery stands, room by room; of one server, or of all for the operator. */
export async function feedStatus({ database }: BotContext, guildId?: string): Promise<RoomStatus[]> {
  const { rows } = await sql<RoomStatus>`
    select room_id as "roomId", guild_id as "guildId", paused_since_ms as "pausedSinceMs", error,
      delivered_at_ms as "deliveredAtMs", waiting.rows as waiting, events.observed_at_ms as "oldestMs",
      (select count(*) from castellan.feed_messages
        where room_id = lanes.room_id and state = 'parked') as parked
    from castellan.feed_lanes lanes
    cross join lateral (
      select count(*) as rows, min(event_id) as oldest from castellan.feed_rows
      where room_id = lanes.room_id and (message_id is null or message_id in (
        select id from castellan.feed_messages where room_id = lanes.room_id and state = 'bound'))
    ) as waiting
    left join castellan.events on events.id = waiting.oldest
    where ${guildId ?? null}::text is null or guild_id = ${guildId ?? null}
    order by room_id
  `.execute(database.query);
  return rows;
}
