import type { Updateable } from "kysely";
import { exponentialBackoff } from "../../async.ts";
import type { BotContext } from "../../bot-context.ts";
import type { Tx } from "../../database/database.ts";
import { noLease } from "../../database/lease.ts";
import type { FeedTables } from "../../database/tables/feed.ts";
import { asAppError, type AppError } from "../../errors.ts";
import type { BoundMessage } from "./bind-message.ts";

/** What of a room's queue decides how it goes on. */
interface RoomQueue {
  failures: number;
  one_by_one: number;
  paused_since_ms: number | null;
}
type QueueChanges = Updateable<FeedTables["castellan.feed_lanes"]>;

const working = { ...noLease, failures: 0, retry_at_ms: 0, error: null, paused_since_ms: null };

/** Between two tries of a room that is gone or forbidden, in milliseconds; the gateway wakes it when that changes. */
const rests = { first: 30_000, longest: 3600_000 };

/** The message is in the room, also for a worker whose lease ran out meanwhile: both know the same message. */
export async function settleSent(
  context: BotContext,
  message: BoundMessage,
  discordId: string,
): Promise<void> {
  const nowMs = context.clock.now();
  await context.database.transaction(async (tx) => {
    const roomQueue = await lockRoomQueue(tx, message);
    const { numUpdatedRows } = await tx
      .updateTable("castellan.feed_messages")
      // The content served for a crash before this; a message that is edited later is rendered anew from its events.
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
    if (!roomQueue) return;
    const one_by_one = Math.max(0, roomQueue.one_by_one - Number(numUpdatedRows));
    await changeRoomQueue(tx, message, { ...working, delivered_at_ms: nowMs, one_by_one });
  });
}

/** The room is gone or forbidden: its queue pauses, keeps its message, and tries again now and then. */
export async function settlePaused(
  context: BotContext,
  message: BoundMessage,
  error: AppError,
): Promise<void> {
  const nowMs = context.clock.now();
  context.log.error(
    { room: message.roomId, error: error.message },
    "a room cannot be reached: its feed pauses",
  );
  await settle(context, message, ({ failures, paused_since_ms }) => ({
    ...noLease,
    failures: failures + 1,
    retry_at_ms: nowMs + exponentialBackoff(failures + 1, rests),
    error: error.message,
    paused_since_ms: paused_since_ms ?? nowMs,
  }));
}

/**
 * Discord refused the message itself. Where it held several embeds, one of them is to blame: the rows are bound again, one to
 * a message, so that only that one is parked. The queue goes on.
 */
export async function settleRefused(
  context: BotContext,
  message: BoundMessage,
  error: AppError,
): Promise<void> {
  await settle(context, message, async ({ one_by_one }, tx) => {
    if (message.embeds.length > 1) {
      await unbind(tx, message);
      return { ...working, one_by_one: message.embeds.length };
    }
    const { id, roomId } = message;
    context.log.error({ room: roomId, message: id, error: error.message }, "a message is parked");
    await tx
      .updateTable("castellan.feed_messages")
      .set({
        state: "parked",
        error: error.message,
        settled_at_ms: context.clock.now(),
        embeds_json: "[]",
      })
      .where("id", "=", id)
      .execute();
    return { ...working, one_by_one: Math.max(0, one_by_one - 1) };
  });
}

async function unbind(tx: Tx, { id }: BoundMessage): Promise<void> {
  await tx
    .updateTable("castellan.feed_rows")
    .set({ message_id: null })
    .where("message_id", "=", id)
    .execute();
  await tx.deleteFrom("castellan.feed_messages").where("id", "=", id).execute();
}

/** Anything that may pass: the queue rests a little and keeps its order. */
export async function settleDelayed(
  context: BotContext,
  message: BoundMessage,
  error: unknown,
): Promise<void> {
  const nowMs = context.clock.now();
  const known = asAppError(error);
  context.log.warn({ room: message.roomId, err: error }, "a message could not be sent yet");
  await settle(context, message, ({ failures }) => {
    const pause = exponentialBackoff(failures + 1, { first: 1_000, longest: 60_000 });
    return {
      ...noLease,
      failures: failures + 1,
      retry_at_ms: nowMs + Math.max(pause, (known?.retryAfter ?? 0) * 1000),
      error: known?.message ?? "Discord did not answer as it should; the log has the details.",
    };
  });
}

/** Changes the room's queue, unless another worker holds it by now. */
function settle(
  { database }: BotContext,
  message: BoundMessage,
  change: (roomQueue: RoomQueue, tx: Tx) => QueueChanges | Promise<QueueChanges>,
): Promise<void> {
  return database.transaction(async (tx) => {
    const roomQueue = await lockRoomQueue(tx, message);
    if (roomQueue) await changeRoomQueue(tx, message, await change(roomQueue, tx));
  });
}

/** undefined when another worker holds the lease by now. */
async function lockRoomQueue(tx: Tx, { roomId, leaseToken }: BoundMessage): Promise<RoomQueue | undefined> {
  const roomQueue = await tx
    .selectFrom("castellan.feed_lanes")
    .select(["failures", "one_by_one", "paused_since_ms", "lease_token"])
    .where("room_id", "=", roomId)
    .forUpdate()
    .executeTakeFirst();
  return roomQueue?.lease_token === leaseToken ? roomQueue : undefined;
}

async function changeRoomQueue(tx: Tx, { roomId }: BoundMessage, changes: QueueChanges): Promise<void> {
  await tx.updateTable("castellan.feed_lanes").set(changes).where("room_id", "=", roomId).execute();
}
