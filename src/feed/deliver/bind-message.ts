import { seconds } from "../../clock.ts";
import type { BotContext } from "../../bot-context.ts";
import type { Tx } from "../../database/database.ts";
import type { RoomButton, RoomEmbed } from "../rooms.ts";
import { createLeaseToken, isLaneFree, leaseMs } from "./lease.ts";
import { selectContent, type Lane } from "./select-content.ts";

/** A message on its way, and the lease under which this worker sends it. */
export interface BoundMessage {
  id: number;
  roomId: string;
  nonce: string;
  /** UNIX milliseconds. */
  boundAtMs: number;
  embeds: RoomEmbed[];
  buttons: RoomButton[][];
  /** It was bound earlier and may have been sent: whoever bound it did not live to tell. */
  uncertain: boolean;
  leaseToken: string;
}

/**
 * Takes the room's lane and binds its oldest rows to a new message, or finds the one that is bound already.
 * undefined when there is nothing to send, or another worker has the lane, or it rests after a failure.
 */
export async function bindMessage(context: BotContext, roomId: string): Promise<BoundMessage | undefined> {
  const nowMs = context.clock.now();
  return context.database.transaction(async (tx) => {
    const lane = await tx
      .selectFrom("castellan.feed_lanes")
      .select(["room_id", "guild_id", "one_by_one"])
      .where("room_id", "=", roomId)
      .where(isLaneFree(context))
      .forUpdate()
      .executeTakeFirst();
    if (!lane) return undefined;
    const message = (await findBound(tx, roomId)) ?? (await bindNew(tx, lane, seconds(context.clock), nowMs));
    if (!message) return undefined;
    const leaseToken = createLeaseToken();
    await tx
      .updateTable("castellan.feed_lanes")
      .set({ leased_until_ms: nowMs + leaseMs, lease_token: leaseToken })
      .where("room_id", "=", roomId)
      .execute();
    return { ...message, roomId, leaseToken };
  });
}

type Unleased = Omit<BoundMessage, "roomId" | "leaseToken">;

async function findBound(tx: Tx, roomId: string): Promise<Unleased | undefined> {
  const message = await tx
    .selectFrom("castellan.feed_messages")
    .select(["id", "nonce", "bound_at_ms", "embeds_json", "buttons_json"])
    .where("room_id", "=", roomId)
    .where("state", "=", "bound")
    .executeTakeFirst();
  if (!message) return undefined;
  const embeds = JSON.parse(message.embeds_json) as RoomEmbed[]; // written by bindNew
  const buttons = JSON.parse(message.buttons_json) as RoomButton[][]; // so is this
  const { id, nonce, bound_at_ms: boundAtMs } = message;
  return { id, nonce, boundAtMs, embeds, buttons, uncertain: true };
}

/** The rendered content is stored with the message, so that sending it again sends the same. */
async function bindNew(tx: Tx, lane: Lane, now: number, nowMs: number): Promise<Unleased | undefined> {
  const content = await selectContent(tx, lane, now);
  if (!content) return undefined;
  const { id, nonce } = await tx
    .insertInto("castellan.feed_messages")
    .values({
      room_id: lane.room_id,
      state: "bound",
      embeds_json: JSON.stringify(content.embeds),
      buttons_json: JSON.stringify(content.buttons),
      bound_at_ms: nowMs,
    })
    .returning(["id", "nonce"])
    .executeTakeFirstOrThrow();
  await tx
    .updateTable("castellan.feed_rows")
    .set({ message_id: id })
    .where("room_id", "=", lane.room_id)
    .where("event_id", "in", content.eventIds)
    .execute();
  return { id, nonce, boundAtMs: nowMs, embeds: content.embeds, buttons: content.buttons, uncertain: false };
}
