import { sql } from "kysely";
import type { BotContext } from "../bot-context.ts";
import { asAppError } from "../errors.ts";
import type { Rooms } from "./rooms.ts";
import { noteTokenSign } from "./token-signs.ts";

/** Rooms that are looked at in one run: those that were told something last. */
const mostRooms = 5;
/** Only so long after something was told there, and only messages as young as that, in milliseconds. */
const lately = 15 * 60_000;

/**
 * Up to which message each room was looked at, by feed and room, for each process anew: a database that was brought back
 * from a backup does not know what was posted since, and a room's former feeds may have taken their messages with them.
 */
const looked = new WeakMap<Rooms, Map<string, bigint>>();

/**
 * Looks in the rooms that were told something lately for messages of the bot that no row knows: somebody else with its
 * token has posted them. Processes of one installation share the rows, where a message is before it is posted.
 */
export async function findForeignMessages(
  context: BotContext,
  rooms: Rooms,
  signal: AbortSignal,
): Promise<void> {
  const until = looked.get(rooms) ?? new Map<string, bigint>();
  looked.set(rooms, until);
  for (const { roomId, feedId } of await findBusyRooms(context)) {
    if (signal.aborted) return;
    await lookAt(context, rooms, until, roomId, `${feedId} ${roomId}`);
  }
}

async function findBusyRooms({ database, clock }: BotContext) {
  const { rows } = await sql<{ roomId: string; feedId: number }>`
    select room_id as "roomId", (
        select min(id) from castellan.feeds where feeds.room_id = lanes.room_id and ended_at_ms is null
      ) as "feedId"
    from castellan.feed_lanes lanes
    where delivered_at_ms > ${clock.now() - lately} and paused_since_ms is null
      and guild_id not in (select guild_id from castellan.absent_servers)
      and exists (select from castellan.feeds where feeds.room_id = lanes.room_id and ended_at_ms is null)
    order by delivered_at_ms desc limit ${mostRooms}
  `.execute(database.query);
  return rows;
}

async function lookAt(
  context: BotContext,
  rooms: Rooms,
  until: Map<string, bigint>,
  roomId: string,
  key: string,
): Promise<void> {
  const posted = await rooms.recent(roomId).catch((error: unknown) => {
    // Not shown, or gone: delivery tells of that.
    if (asAppError(error)) return [];
    throw error;
  });
  const ids = posted.map(({ id }) => BigInt(id));
  const newest = ids.reduce((a, b) => (a > b ? a : b), 0n);
  const from = until.get(key);
  const fresh = ids.filter((id) => from !== undefined && id > from && timeOf(newest) - timeOf(id) < lately);
  // Asked after Discord was, and in one statement: what we posted before is sent by now, or still bound.
  const own = await context.database.query
    .selectFrom("castellan.feed_messages")
    .select(["state", "discord_id"])
    .where("room_id", "=", roomId)
    .where((is) => is.or([is("state", "=", "bound"), is("discord_id", "in", ["0", ...fresh.map(String)])]))
    .execute();
  const known = new Set(own.map(({ discord_id }) => discord_id));
  const unknown = fresh.filter((id) => !known.has(String(id)));
  const bound = own.filter(({ state }) => state === "bound").length;
  if (unknown.length > 0 && unknown.length <= bound) return;
  if (newest > 0n) until.set(key, newest);
  if (unknown.length === 0) return;
  const id = String(unknown.reduce((a, b) => (a < b ? a : b)));
  await noteTokenSign(context, { kind: "message", id, roomId });
}

/** Of a Discord id, in milliseconds of Discord's own epoch. */
function timeOf(id: bigint): number {
  return Number(id >> 22n);
}
