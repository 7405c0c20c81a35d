import type { Updateable } from "kysely";
import type { BotContext } from "../../bot-context.ts";
import type { Tx } from "../../database/database.ts";
import type { FeedTables } from "../../database/tables/feed.ts";
import { asAppError, type AppError } from "../../errors.ts";
import type { BoundMessage } from "./bind-message.ts";

type LaneChanges = Updateable<FeedTables["castellan.feed_lanes"]>;

const free = { leased_until_ms: 0, lease_token: null };
const working = { ...free, failures: 0, retry_at_ms: 0, error: null, paused_since_ms: null };

/** The message is in the room. True also for a worker whose lease ran out meanwhile: both know the same message. */
export async function settleSent(
  context: BotContext,
  message: BoundMessage,
  discordId: string,
): Promise<void> {
  const nowMs = context.clock.now();
  await context.database.transaction(async (tx) => {
    const lane = await lockLane(tx, message);
    const settled = await tx
      .updateTable("castellan.feed_messages")
      // The content was kept for a crash before this; what a message says is told anew from its events.
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
    if (!lane?.ours) return;
    const one_by_one = Math.max(0, lane.one_by_one - (settled.numUpdatedRows > 0n ? 1 : 0));
    await changeLane(tx, message, { ...working, delivered_at_ms: nowMs, one_by_one });
  });
}

/** Between two tries of a room that is gone or forbidden, in milliseconds; the gateway wakes it when it changes. */
const firstRest = 30_000;
const longestRest = 3600_000;

/** The room is gone or forbidden: the lane pauses, keeps its message, and tries again now and then. */
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
  await context.database.transaction(async (tx) => {
    const lane = await lockLane(tx, message);
    if (!lane?.ours) return;
    await changeLane(tx, message, {
      ...free,
      failures: lane.failures + 1,
      retry_at_ms: nowMs + Math.min(firstRest * 2 ** Math.min(lane.failures, 10), longestRest),
      error: error.message,
      paused_since_ms: lane.paused_since_ms ?? nowMs,
    });
  });
}

/**
 * Discord refused the message itself. One of several embeds is to blame: the rows are bound anew, one to a message, so
 * that only it is parked. The lane goes on.
 */
export async function settleRefused(
  context: BotContext,
  message: BoundMessage,
  error: AppError,
): Promise<void> {
  const nowMs = context.clock.now();
  await context.database.transaction(async (tx) => {
    const lane = await lockLane(tx, message);
    if (!lane?.ours) return;
    if (message.embeds.length > 1) {
      await tx
        .updateTable("castellan.feed_rows")
        .set({ message_id: null })
        .where("message_id", "=", message.id)
        .execute();
      await tx.deleteFrom("castellan.feed_messages").where("id", "=", message.id).execute();
      await changeLane(tx, message, { ...working, one_by_one: message.embeds.length });
      return;
    }
    context.log.error(
      { room: message.roomId, message: message.id, error: error.message },
      "a message is parked",
    );
    await tx
      .updateTable("castellan.feed_messages")
      .set({ state: "parked", error: error.message, settled_at_ms: nowMs, embeds_json: "[]" })
      .where("id", "=", message.id)
      .execute();
    await changeLane(tx, message, { ...working, one_by_one: Math.max(0, lane.one_by_one - 1) });
  });
}

/** Anything that may pass: the lane rests a little and keeps its order. */
export async function settleDelayed(
  context: BotContext,
  message: BoundMessage,
  error: unknown,
): Promise<void> {
  const nowMs = context.clock.now();
  const known = asAppError(error);
  context.log.warn({ room: message.roomId, err: error }, "a message could not be sent yet");
  await context.database.transaction(async (tx) => {
    const lane = await lockLane(tx, message);
    if (!lane?.ours) return;
    const pause = Math.min(1000 * 2 ** Math.min(lane.failures, 6), 60_000);
    await changeLane(tx, message, {
      ...free,
      failures: lane.failures + 1,
      retry_at_ms: nowMs + Math.max(pause, (known?.retryAfter ?? 0) * 1000),
      error: known?.message ?? "Discord did not answer as it should; the log has the details.",
    });
  });
}

async function lockLane(tx: Tx, { roomId, leaseToken }: BoundMessage) {
  const lane = await tx
    .selectFrom("castellan.feed_lanes")
    .select(["failures", "one_by_one", "paused_since_ms", "lease_token"])
    .where("room_id", "=", roomId)
    .forUpdate()
    .executeTakeFirst();
  return lane && { ...lane, ours: lane.lease_token === leaseToken };
}

async function changeLane(tx: Tx, { roomId }: BoundMessage, changes: LaneChanges): Promise<void> {
  await tx.updateTable("castellan.feed_lanes").set(changes).where("room_id", "=", roomId).execute();
}
