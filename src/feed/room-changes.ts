import { sql } from "kysely";
import type { BotContext } from "../bot-context.ts";
import type { Tx } from "../database/database.ts";
import { noLease } from "../database/lease.ts";

/** A room that is gone or forbidden for this long is given up, in milliseconds … */
const giveUpAfterMs = 7 * 86_400_000;
/** … after at least this many tries: a clock that jumps ahead does not count as a week of trying. */
const fewestTries = 20;
/** Milliseconds between tries of a room that is known to refuse messages. */
const restFor = 3600_000;

/** Rooms of these servers that have a feed. */
export async function findRooms({ database }: BotContext, guildIds: readonly string[]): Promise<string[]> {
  if (guildIds.length === 0) return [];
  const rows = await database.query
    .selectFrom("castellan.feeds")
    .select("room_id")
    .distinct()
    .where("guild_id", "in", guildIds)
    .where("ended_at_ms", "is", null)
    .execute();
  return rows.map(({ room_id }) => room_id);
}

/** States of messages that are stored but not sent. */
export const unsentStates = ["bound", "blocked"] as const;

const waits = sql`(
  exists (select from castellan.feed_rows as waiting
    where waiting.room_id = room_queues.room_id and waiting.message_id is null)
  or exists (select from castellan.feed_messages as message
    where message.room_id = room_queues.room_id and message.state = 'bound'))`;

/**
 * Applies what Discord reports about rooms before any send: a closed room pauses, an open room sends its waiting messages.
 */
export async function setRooms(
  context: BotContext,
  states: readonly { roomId: string; closed: string | null }[],
): Promise<void> {
  const { database, clock, log } = context;
  const now = clock.now();
  const opened: string[] = [];
  for (const { roomId, closed } of states) {
    const roomQueue = database.query.updateTable("castellan.room_queues").where("room_id", "=", roomId);
    if (closed === null) {
      const { numUpdatedRows } = await roomQueue
        // Waiting messages will show whether the room is really open; without any, Discord's report is enough.
        .set({
          retry_at_ms: 0,
          paused_since_ms: sql`case when ${waits} then paused_since_ms end`,
          error: sql`case when ${waits} then error end`,
        })
        .where("paused_since_ms", "is not", null)
        .executeTakeFirst();
      if (numUpdatedRows > 0n) opened.push(roomId);
    } else {
      const { numUpdatedRows } = await roomQueue
        .set({
          paused_since_ms: sql<number>`coalesce(paused_since_ms, ${now})`,
          error: closed,
          retry_at_ms: now + restFor,
        })
        .where(sql<boolean>`(paused_since_ms is null or retry_at_ms <= ${now})`)
        .executeTakeFirst();
      if (numUpdatedRows > 0n) log.warn({ room: roomId, reason: closed }, "paused the feed of a closed room");
    }
  }
  await serve(context, opened);
}

/** The bot is back in these servers: their waiting messages go out now. */
export async function wakeServers(context: BotContext, guildIds: readonly string[]): Promise<void> {
  if (guildIds.length === 0) return;
  const rooms = await context.database.query
    .updateTable("castellan.room_queues")
    .set({ retry_at_ms: 0 })
    .where("guild_id", "in", guildIds)
    .returning("room_id")
    .execute();
  await serve(
    context,
    rooms.map(({ room_id }) => room_id),
  );
}

async function serve({ wake }: BotContext, roomIds: readonly string[]): Promise<void> {
  await Promise.all(roomIds.map((roomId) => wake("deliver-feed", roomId)));
}

/** As in addFeed and delivery: only one at a time changes a room. */
export async function lockRoom(tx: Tx, roomId: string): Promise<void> {
  await tx
    .selectFrom("castellan.room_queues")
    .select("room_id")
    .where("room_id", "=", roomId)
    .forUpdate()
    .execute();
}

const nothingWrong = { retry_at_ms: 0, failures: 0, error: null, paused_since_ms: null, one_by_one: 0 };

/** Without a running feed, what was wrong with a room is outdated: its next message shows whether it works. */
export async function forgetPause(tx: Tx, roomId: string): Promise<void> {
  await tx
    .updateTable("castellan.room_queues")
    .set(nothingWrong)
    .where("room_id", "=", roomId)
    .where(
      sql<boolean>`not exists (select from castellan.feeds where room_id = ${roomId} and ended_at_ms is null)`,
    )
    .execute();
}

/** Ends a room's feeds, notes the reason for /feed show, and drops waiting messages, which can never be sent. */
export async function endRoom(context: BotContext, roomId: string, reason: string): Promise<void> {
  const { database, clock, log } = context;
  const ended = await database.transaction(async (tx) => {
    await lockRoom(tx, roomId);
    const { numUpdatedRows } = await tx
      .updateTable("castellan.feeds")
      .set({ ended_at_ms: clock.now(), ended_reason: reason })
      .where("room_id", "=", roomId)
      .where("ended_at_ms", "is", null)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) return false;
    await sql`
      delete from castellan.feed_rows where room_id = ${roomId} and (message_id is null or message_id in (
        select id from castellan.feed_messages where room_id = ${roomId} and state = any(${[...unsentStates]}::text[])))
    `.execute(tx);
    await tx
      .deleteFrom("castellan.feed_messages")
      .where("room_id", "=", roomId)
      .where("state", "in", unsentStates)
      .execute();
    await tx
      .updateTable("castellan.room_queues")
      .set({ ...noLease, ...nothingWrong })
      .where("room_id", "=", roomId)
      .execute();
    return true;
  });
  if (ended) log.warn({ room: roomId, reason }, "a room's feed ended");
}

/** Gives up rooms that were unreachable for a week, and rooms of servers that the bot left a week ago. */
export async function endDeadRooms(context: BotContext): Promise<void> {
  const { database, clock } = context;
  const before = clock.now() - giveUpAfterMs;
  await database.query
    .updateTable("castellan.absent_servers")
    .set({ checks: sql`checks + 1` })
    .execute();
  const { rows } = await sql<{ roomId: string; away: boolean; error: string | null }>`
    select queues.room_id as "roomId", away.guild_id is not null as away, queues.error
    from castellan.room_queues queues left join castellan.absent_servers away
      on away.guild_id = queues.guild_id and away.since_ms <= ${before} and away.checks >= ${fewestTries}
    where (away.guild_id is not null or (queues.paused_since_ms <= ${before} and queues.failures >= ${fewestTries}))
      and exists (select from castellan.feeds where feeds.room_id = queues.room_id and ended_at_ms is null)
  `.execute(database.query);
  for (const { roomId, away, error } of rows) {
    const reason = away
      ? "Castellan has been out of this server for seven days."
      : `No message could be sent for seven days: ${error ?? "the room is gone."}`;
    await endRoom(context, roomId, reason);
  }
}
