import { sql, type RawBuilder, type Updateable } from "kysely";
import { exponentialBackoff } from "../../async.ts";
import type { BotContext } from "../../bot-context.ts";
import type { Tx } from "../../database/database.ts";
import { noLease } from "../../database/lease.ts";
import type { FeedTables } from "../../database/tables/feed.ts";
import { asAppError } from "../../errors.ts";
import { classify, describeFailure } from "../../outbox/classify.ts";
import { report } from "../../telemetry.ts";
import { findPosted } from "../../outbox/post-once.ts";
import type { Rooms } from "../rooms.ts";
import { bindMessage, isRoomFree, type BoundMessage } from "./bind-message.ts";
import { restRoom } from "./unshown.ts";

/** Milliseconds that a room backs off if its messages cannot be made. */
const failureBackoffMs = 60_000;

/** The next item of a room, if any: its rank, and its place among items of the same rank. */
function nextOf(nowMs: number): RawBuilder<{ rank: number; oldest: number }> {
  return sql`
    (select 0 as rank, 0 as oldest from castellan.feed_messages where room_id = queues.room_id
      and (state = 'bound' or state = 'blocked' and retry_at_ms <= ${nowMs}) limit 1)
    union all
    (select rank, event_id from castellan.feed_rows where room_id = queues.room_id and message_id is null
      and (rank = 0 or queues.held_until_ms <= ${nowMs}) order by rank, event_id limit 1)
    order by rank, oldest limit 1`;
}

/** Rooms that are free and have something to send: urgent items first, then the longest waiting. */
export function findDueRooms(context: BotContext, most: number): RawBuilder<{ id: string }> {
  return sql`
    select room_id as id from castellan.room_queues queues cross join lateral (${nextOf(context.clock.now())}) as work
    where ${isRoomFree(context)}
    order by rank, oldest limit ${most}`;
}

/**
 * Sends a room its next message. A room that fails for reasons that other rooms do not share backs off. Returns the
 * milliseconds until it takes the next waiting message; undefined if none waits, or the room backs off.
 */
export async function serveRoom(
  context: BotContext,
  rooms: Rooms,
  roomId: string,
): Promise<number | undefined> {
  try {
    return await deliverNext(context, rooms, roomId);
  } catch (error) {
    if (asAppError(error)) throw error;
    context.log.error({ err: error, room: roomId }, "could not post to a room, retrying in a minute");
    await restRoom(context, roomId, failureBackoffMs);
    return undefined;
  }
}

/**
 * Binds the most important rows to a message (transaction), sends it, settles it (transaction). Each event is announced
 * exactly once, even if this process dies between any two of these steps: a bound message is looked up in the room before
 * it is sent, and its nonce covers what the lookup does not show. Returns the same as `serveRoom`.
 */
export async function deliverNext(
  context: BotContext,
  rooms: Rooms,
  roomId: string,
): Promise<number | undefined> {
  const message = await bindMessage(context, roomId);
  return message && send(context, rooms, message);
}

async function send(context: BotContext, rooms: Rooms, message: BoundMessage): Promise<number | undefined> {
  let discordId: string;
  try {
    discordId =
      (message.uncertain ? await findInRoom({ ...context, rooms }, message) : undefined) ??
      (await rooms.post(message.roomId, { nonce: message.nonce, ...contentOf(message) }));
  } catch (error) {
    const failure = classify(error);
    report("castellan:feed.posted", { result: failure });
    const isRefused = failure === "refused" || failure === "blocked";
    if (isRefused) await settleRefused(context, message, error);
    else if (failure === "paused") await settlePaused(context, message, error);
    else await settleDelayed(context, message, error);
    return isRefused ? 0 : undefined;
  }
  report("castellan:feed.posted", { result: "sent" });
  const resetMs = rooms.resetAfter(message.roomId);
  return (await settleSent(context, message, discordId, resetMs)) ? resetMs : undefined;
}

/** The first event's number in the footer, or the time of a post for readers, is in the room at most once. */
function findInRoom(
  context: BotContext & { rooms: Rooms },
  message: BoundMessage,
): Promise<string | undefined> {
  const { footer, timestamp } = message.embeds[0] ?? {};
  return findPosted(context, message.roomId, { footer, timestamp }, message.boundAtMs);
}

function contentOf({ embeds, buttons, mention }: BoundMessage) {
  return { embeds, ...(buttons.length > 0 && { buttons }), ...(mention !== null && { mention }) };
}

/** The part of a room's queue that determines how it continues. */
interface QueueState {
  failures: number;
  one_by_one: number;
  paused_since_ms: number | null;
}
type QueueChanges = Updateable<FeedTables["castellan.room_queues"]>;

const working = { ...noLease, failures: 0, retry_at_ms: 0, error: null, paused_since_ms: null };

/** Backoff of a room that is gone or forbidden, in milliseconds; the gateway wakes it when that changes. */
export const closedRoomBackoff = { first: 30_000, longest: 3600_000 };

/**
 * Runs when the message is in the room, even if this worker's lease ran out meanwhile. The room takes the next message
 * after `resetMs` milliseconds. The row tells all processes, because each knows only Discord's responses to itself.
 * Returns whether another message is waiting.
 */
async function settleSent(
  context: BotContext,
  message: BoundMessage,
  discordId: string,
  resetMs: number,
): Promise<boolean> {
  const nowMs = context.clock.now();
  return context.database.transaction(async (tx) => {
    const roomQueue = await lockRoomQueue(tx, message);
    const { numUpdatedRows } = await tx
      .updateTable("castellan.feed_messages")
      // The content was needed only after a crash before this point; an edit renders the message again from its events.
      .set({
        state: "sent",
        discord_id: discordId,
        settled_at_ms: nowMs,
        embeds_json: "[]",
        buttons_json: "[]",
      })
      .where("id", "=", message.id)
      .where("state", "=", "bound")
      .executeTakeFirst();
    if (!roomQueue) return false;
    const one_by_one = Math.max(0, roomQueue.one_by_one - Number(numUpdatedRows));
    const retry_at_ms = resetMs > 0 ? nowMs + resetMs : 0;
    await changeRoomQueue(tx, message, { ...working, retry_at_ms, delivered_at_ms: nowMs, one_by_one });
    return hasNext(tx, message, nowMs + resetMs);
  });
}

async function hasNext(tx: Tx, { roomId }: BoundMessage, nowMs: number): Promise<boolean> {
  const { rows } = await sql`
    select from castellan.room_queues queues cross join lateral (${nextOf(nowMs)}) as work where room_id = ${roomId}
  `.execute(tx);
  return rows.length > 0;
}

/** The room is gone or forbidden: its queue pauses, keeps its message, and retries now and then. */
async function settlePaused(context: BotContext, message: BoundMessage, cause: unknown): Promise<void> {
  const nowMs = context.clock.now();
  const error = describeFailure(cause);
  context.log.error({ room: message.roomId, error }, "paused the feed of an unreachable room");
  await settle(context, message, ({ failures, paused_since_ms }) => ({
    ...noLease,
    failures: failures + 1,
    retry_at_ms: nowMs + exponentialBackoff(failures + 1, closedRoomBackoff),
    error,
    paused_since_ms: paused_since_ms ?? nowMs,
  }));
}

/** Retries of a message that AutoMod blocks, at least this long and this often, because people change AutoMod's rules. */
const blockedRests = { first: 60_000, longest: 3600_000 };
const blockedLimit = { time: 7 * 86_400_000, tries: 20 };

/**
 * Discord refused the message itself. If it held several embeds, one of them is at fault: the rows are bound again, one to
 * a message, so that only that one is put aside: blocked by AutoMod and retried, or parked for good. The queue continues.
 */
async function settleRefused(context: BotContext, message: BoundMessage, error: unknown): Promise<void> {
  await settle(context, message, async ({ one_by_one }, tx) => {
    if (message.embeds.length > 1) {
      await unbind(tx, message);
      return { ...working, one_by_one: message.embeds.length };
    }
    await putAside(tx, context, message, error);
    return { ...working, one_by_one: Math.max(0, one_by_one - 1) };
  });
}

async function putAside(tx: Tx, context: BotContext, message: BoundMessage, cause: unknown): Promise<void> {
  const { id, roomId, boundAtMs } = message;
  const now = context.clock.now();
  const attempts = message.attempts + 1;
  const isOver = now - boundAtMs > blockedLimit.time && attempts >= blockedLimit.tries;
  const waits = classify(cause) === "blocked" && !isOver;
  const error = describeFailure(cause);
  const about = { room: roomId, message: id, error, err: asAppError(cause)?.cause };
  if (waits) context.log.warn({ ...about, attempts }, "AutoMod blocked a message, retrying later");
  else context.log.error(about, "parked a message that Discord refused");
  await tx
    .updateTable("castellan.feed_messages")
    .set(
      waits
        ? { state: "blocked", attempts, retry_at_ms: now + exponentialBackoff(attempts, blockedRests) }
        : { state: "parked", settled_at_ms: now, embeds_json: "[]" },
    )
    .set({ error })
    .where("id", "=", id)
    .execute();
}

async function unbind(tx: Tx, { id }: BoundMessage): Promise<void> {
  await tx
    .updateTable("castellan.feed_rows")
    .set({ message_id: null })
    .where("message_id", "=", id)
    .execute();
  await tx.deleteFrom("castellan.feed_messages").where("id", "=", id).execute();
}

/** For temporary failures: the queue backs off briefly and keeps its order. */
async function settleDelayed(context: BotContext, message: BoundMessage, error: unknown): Promise<void> {
  const nowMs = context.clock.now();
  const known = asAppError(error);
  context.log.warn({ room: message.roomId, err: error }, "could not send a message, retrying");
  await settle(context, message, ({ failures }) => {
    const pause = exponentialBackoff(failures + 1, { first: 1_000, longest: 60_000 });
    return {
      ...noLease,
      failures: failures + 1,
      retry_at_ms: nowMs + Math.max(pause, (known?.retryAfter ?? 0) * 1000),
      error: known?.message ?? "Discord did not respond as expected. The log has the details.",
    };
  });
}

/** Changes the room's queue, unless another worker has leased it meanwhile. */
function settle(
  { database }: BotContext,
  message: BoundMessage,
  change: (queue: QueueState, tx: Tx) => QueueChanges | Promise<QueueChanges>,
): Promise<void> {
  return database.transaction(async (tx) => {
    const roomQueue = await lockRoomQueue(tx, message);
    if (roomQueue) await changeRoomQueue(tx, message, await change(roomQueue, tx));
  });
}

/** Undefined if another worker has taken the lease. */
async function lockRoomQueue(tx: Tx, { roomId, leaseToken }: BoundMessage): Promise<QueueState | undefined> {
  const roomQueue = await tx
    .selectFrom("castellan.room_queues")
    .select(["failures", "one_by_one", "paused_since_ms", "lease_token"])
    .where("room_id", "=", roomId)
    .forUpdate()
    .executeTakeFirst();
  return roomQueue?.lease_token === leaseToken ? roomQueue : undefined;
}

async function changeRoomQueue(tx: Tx, { roomId }: BoundMessage, changes: QueueChanges): Promise<void> {
  await tx.updateTable("castellan.room_queues").set(changes).where("room_id", "=", roomId).execute();
}
