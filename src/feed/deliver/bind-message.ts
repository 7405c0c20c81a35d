import { sql, type RawBuilder, type Selectable } from "kysely";
import type { BotContext } from "../../bot-context.ts";
import type { Tx } from "../../database/database.ts";
import { createLease, isUnleased } from "../../database/lease.ts";
import type { FeedTables } from "../../database/tables/feed.ts";
import { textsFor } from "../../languages/languages.ts";
import { showNumber } from "../../text/numbered.ts";
import { deskOnly, massRank } from "../feed-kinds.ts";
import { layOut } from "../render/lay-out.ts";
import type { RoomButton, RoomEmbed } from "../rooms.ts";
import { settingsColumns, toRoomSettings, type RoomSettings } from "../room-settings.ts";
import { holdBack, mayMention } from "./hold-back.ts";
import { joinPosted, putUrgentFirst } from "../request-edits.ts";
import { selectContent } from "./select-content.ts";
import { asUnshowable, isolateUnshowable, postUnshown, Unshowable } from "./unshown.ts";

/** A message being sent, and the lease under which this worker sends it. */
export interface BoundMessage {
  id: number;
  roomId: string;
  nonce: string;
  /** UNIX milliseconds. */
  boundAtMs: number;
  embeds: RoomEmbed[];
  buttons: RoomButton[][];
  mention: string | null;
  /** How often AutoMod has blocked it. */
  attempts: number;
  /** It was bound earlier and may have been sent: the worker that bound it died before recording the result. */
  uncertain: boolean;
  leaseToken: string;
}

/**
 * Leases the room's queue and binds its oldest rows to a new message, or finds the one that is already bound. Undefined
 * when there is nothing to send, another worker has the lease, or the queue backs off after a failure.
 */
export async function bindMessage(context: BotContext, roomId: string): Promise<BoundMessage | undefined> {
  try {
    return await bindNext(context, roomId, selectContent);
  } catch (error) {
    if (!(error instanceof Unshowable)) throw error;
    context.log.error({ err: error.cause, room: roomId }, error.message);
    return bindIsolated(context, roomId);
  }
}

/** Repeats until something can be bound: each step separates rows that cannot be shown from rows that can. */
async function bindIsolated(context: BotContext, roomId: string): Promise<BoundMessage | undefined> {
  const select: typeof selectContent = async (tx, roomQueue) => {
    const eventId = await isolateUnshowable(tx, roomQueue);
    if (eventId === undefined) return undefined;
    context.log.error(
      { room: roomId, event: eventId },
      `event ${showNumber("event", eventId)} could not be shown`,
    );
    const { forReaders, language } = roomQueue;
    const post = postUnshown(eventId, textsFor(language), { forReaders, nowMs: context.clock.now() });
    const content = layOut([post]);
    return { eventIds: [eventId], digest: false, unshown: true, kinds: [], isMore: true, ...content };
  };
  return (await bindNext(context, roomId, select)) ?? bindMessage(context, roomId);
}

async function bindNext(
  context: BotContext,
  roomId: string,
  select: typeof selectContent,
): Promise<BoundMessage | undefined> {
  const nowMs = context.clock.now();
  return context.database.transaction(async (tx) => {
    const roomQueue = await tx
      .selectFrom("castellan.room_queues")
      .select(["room_id", "guild_id", "one_by_one", "mentioned_at_ms", "held_until_ms", ...settingsColumns])
      .where("room_id", "=", roomId)
      .where(isRoomFree(context))
      .forUpdate()
      .executeTakeFirst();
    if (!roomQueue) return undefined;
    if (roomQueue.for_readers) await dropForModerators(tx, roomId);
    await joinPosted(tx, roomId, nowMs);
    await putUrgentFirst(tx, roomId);
    const message =
      (await findBound(tx, roomId)) ??
      (await bindBlocked(tx, roomId, nowMs)) ??
      (await bindNew(
        tx,
        { ...roomQueue, ...toRoomSettings(roomQueue), linkBase: context.settings.linkBase },
        nowMs,
        select,
      ));
    if (!message) return undefined;
    const lease = createLease("castellan.room_queues", context.clock);
    await tx.updateTable("castellan.room_queues").set(lease).where("room_id", "=", roomId).execute();
    return { ...message, roomId, leaseToken: lease.lease_token };
  });
}

/** Whether a room can be served: its queue does not back off, the bot is in its server, and no worker has it. */
export function isRoomFree({ clock }: BotContext): RawBuilder<boolean> {
  return sql<boolean>`retry_at_ms <= ${clock.now()}
    and guild_id not in (select guild_id from castellan.absent_servers) and ${isUnleased(clock)}`;
}

/** Drops what waited for moderators when the room became one for readers. */
async function dropForModerators(tx: Tx, roomId: string): Promise<void> {
  await sql`
    delete from castellan.feed_rows using castellan.events
    where room_id = ${roomId} and message_id is null and rank < ${massRank} and id = event_id
      and kind = any(${[...deskOnly]}::text[]) and data -> 'roomId' is null
  `.execute(tx);
}

type Unleased = Omit<BoundMessage, "roomId" | "leaseToken">;

async function findBound(tx: Tx, roomId: string): Promise<Unleased | undefined> {
  const message = await tx
    .selectFrom("castellan.feed_messages")
    .select(stored)
    .where("room_id", "=", roomId)
    .where("state", "=", "bound")
    .executeTakeFirst();
  return message && { ...toMessage(message), uncertain: true };
}

/** A blocked message that is due again. AutoMod refused it, so it is not in the room. */
async function bindBlocked(tx: Tx, roomId: string, nowMs: number): Promise<Unleased | undefined> {
  const message = await tx
    .updateTable("castellan.feed_messages")
    .set({ state: "bound", retry_at_ms: null })
    .where("id", "=", (query) =>
      query
        .selectFrom("castellan.feed_messages")
        .select("id")
        .where("room_id", "=", roomId)
        .where("state", "=", "blocked")
        .where("retry_at_ms", "<=", nowMs)
        .orderBy("id")
        .limit(1),
    )
    .returning(stored)
    .executeTakeFirst();
  return message && { ...toMessage(message), uncertain: false };
}

const stored = [
  "id",
  "nonce",
  "bound_at_ms",
  "embeds_json",
  "buttons_json",
  "mention_role",
  "attempts",
] as const;

function toMessage(
  message: Pick<Selectable<FeedTables["castellan.feed_messages"]>, (typeof stored)[number]>,
): Omit<Unleased, "uncertain"> {
  const embeds = JSON.parse(message.embeds_json) as RoomEmbed[]; // written by bindNew
  const buttons = JSON.parse(message.buttons_json) as RoomButton[][]; // the same
  const { id, nonce, bound_at_ms: boundAtMs, mention_role: mention, attempts } = message;
  return { id, nonce, boundAtMs, embeds, buttons, mention, attempts };
}

interface RoomQueue extends RoomSettings {
  room_id: string;
  held_until_ms: number;
  mentioned_at_ms: number | null;
  guild_id: string;
  /** This many of the next events get a message each, because Discord refused one that held several. */
  one_by_one: number;
  linkBase: string;
}

/** The rendered content is stored with the message, so that a resend has the same content. */
async function bindNew(
  tx: Tx,
  roomQueue: RoomQueue,
  nowMs: number,
  select: typeof selectContent,
): Promise<Unleased | undefined> {
  const hold = holdBack(roomQueue, nowMs);
  const content = await select(tx, { ...roomQueue, ...hold }, Math.floor(nowMs / 1000)).catch(
    (error: unknown) => {
      throw asUnshowable(error);
    },
  );
  const isMentioned = content !== undefined && mayMention(roomQueue, content.kinds, hold, nowMs);
  // The next digest interval begins once everything that is due was posted.
  const isAnnounced = hold.onlyUrgent || (content !== undefined && !content.isMore);
  await tx
    .updateTable("castellan.room_queues")
    .set({
      held_until_ms: isAnnounced ? hold.nextHeldUntilMs : roomQueue.held_until_ms,
      ...(isMentioned && { mentioned_at_ms: nowMs }),
    })
    .where("room_id", "=", roomQueue.room_id)
    .execute();
  if (!content) return undefined;
  const mention = isMentioned ? (roomQueue.mention?.role ?? null) : null;
  const { id, nonce } = await tx
    .insertInto("castellan.feed_messages")
    .values({
      room_id: roomQueue.room_id,
      state: "bound",
      embeds_json: JSON.stringify(content.embeds),
      buttons_json: JSON.stringify(content.buttons),
      digest: content.digest,
      unshown: content.unshown ?? false,
      mention_role: mention,
      bound_at_ms: nowMs,
    })
    .returning(["id", "nonce"])
    .executeTakeFirstOrThrow();
  await tx
    .updateTable("castellan.feed_rows")
    .set({ message_id: id })
    .where("room_id", "=", roomQueue.room_id)
    .where("event_id", "in", content.eventIds)
    .execute();
  const { embeds, buttons } = content;
  return { id, nonce, boundAtMs: nowMs, embeds, buttons, mention, attempts: 0, uncertain: false };
}
