// @ts-nocheck
import { sql } from "kysely";
import type { BotContext } from "../../bot-context.ts";
import type { Rooms } from "../rooms.ts";
import { deliver } from "./deliver.ts";
import { isLaneFree } from "./lease.ts";

/** Rooms that are served at the same time. */
const parallel = 8;
/** Rooms in one run; what is left waits for the next. */
const mostRooms = 500;

/** Serves every room for which something waits and whose lane is free, the longest waiting first. */
export async function deliverAll(context: BotContext, rooms: Rooms): Promise<void> {
  const open = await findRooms(context);
  const serve = async (): Promise<void> => {
    for (let roomId = open.shift(); roomId !== undefined; roomId = open.shift()) {
      await deliver(context, rooms, roomId);
    }
  };
  await Promise.all(Array.from({ length: parallel }, serve));
}

async function findRooms(context: BotContext): Promise<string[]> {
  const { rows } = await sql<{ room_id: string }>`
    select room_id from castellan.feed_lanes lanes cross join lateral (
      select coalesce(
        (select 0 from castellan.feed_messages where room_id = lanes.room_id and state = 'bound'),
        (select min(event_id) from castellan.feed_rows where room_id = lanes.room_id and message_id is null)
      ) as oldest) as work
    where oldest is not null and ${isLaneFree(context)}
    order by oldest limit ${mostRooms}
  `.execute(context.database.query);
  return rows.map((row) => row.room_id);
}
