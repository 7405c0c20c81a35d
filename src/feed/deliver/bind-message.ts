import { sql, type RawBuilder, type Selectable } from "kysely";
import type { BotContext } from "../../bot-context.ts";
import { seconds } from "../../clock.ts";
import type { Tx } from "../../database/database.ts";
import { createLease, isUnleased } from "../../database/lease.ts";
import type { FeedTables } from "../../database/tables/feed.ts";
import { toEvent } from "../../observe/events.ts";
import { isAnnounced, type AnnouncedEvent } from "../feed-rows.ts";
import { readLookups } from "../render/lookups.ts";
import { renderDigest, renderEvent, type DigestEvent } from "../render/render-event.ts";
import { reviewButtons } from "../render/review.ts";
import type { RoomButton, RoomEmbed } from "../rooms.ts";

/** A message on its way, and the lease under which this worker sends it. */
export interface BoundMessage {
  id: number;
  roomId: string;
  nonce: string;
  /** UNIX milliseconds. */
  boundAtMs: number;
  embeds: RoomEmbed[];
  buttons: RoomButton[][];
  /** How often AutoMod has blocked it. */
  attempts: number;
  /** It was bound earlier and may have been sent: whoever bound it did not live to say so. */
  uncertain: boolean;
  leaseToken: string;
}

/** Discord's limits for one message. */
const mostEmbeds = 10;
const mostCharacters = 6000;

/** Seconds: events older than this are summed up … */
const oldAfter = 3600;
/** … when more than so many of them wait, … */
const fewOld = 20;
/** … and at most so many in one digest. */
const mostDigested = 2000;

/**
 * Leases the room's queue and binds its oldest rows to a new message, or finds the one that is bound already. undefined when
 * there is nothing to send, another worker has the lease, or the queue rests after a failure.
 */
export async function bindMessage(context: BotContext, roomId: string): Promise<BoundMessage | undefined> {
  const nowMs = context.clock.now();
  return context.database.transaction(async (tx) => {
    const roomQueue = await tx
      .selectFrom("castellan.feed_lanes")
      .select(["room_id", "guild_id", "one_by_one"])
      .where("room_id", "=", roomId)
      .where(isRoomFree(context))
      .forUpdate()
      .executeTakeFirst();
    if (!roomQueue) return undefined;
    const message =
      (await findBound(tx, roomId)) ??
      (await bindBlocked(tx, roomId, nowMs)) ??
      (await bindNew(tx, roomQueue, seconds(context.clock), nowMs));
    if (!message) return undefined;
    const lease = createLease("castellan.feed_lanes", context.clock);
    await tx.updateTable("castellan.feed_lanes").set(lease).where("room_id", "=", roomId).execute();
    return { ...message, roomId, leaseToken: lease.lease_token };
  });
}

/** Whether a room may be served: its queue does not rest, the bot is in its server, and nobody has it. */
export function isRoomFree({ clock }: BotContext): RawBuilder<boolean> {
  return sql<boolean>`retry_at_ms <= ${clock.now()}
    and guild_id not in (select guild_id from castellan.absent_servers) and ${isUnleased(clock)}`;
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

/** A blocked one whose time has come: AutoMod refused it, so it is not in the room. */
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

const stored = ["id", "nonce", "bound_at_ms", "embeds_json", "buttons_json", "attempts"] as const;

function toMessage(
  message: Pick<Selectable<FeedTables["castellan.feed_messages"]>, (typeof stored)[number]>,
): Omit<Unleased, "uncertain"> {
  const embeds = JSON.parse(message.embeds_json) as RoomEmbed[]; // written by bindNew
  const buttons = JSON.parse(message.buttons_json) as RoomButton[][]; // so is this
  const { id, nonce, bound_at_ms: boundAtMs, attempts } = message;
  return { id, nonce, boundAtMs, embeds, buttons, attempts };
}

interface RoomQueue {
  room_id: string;
  guild_id: string;
  /** So many of the next events get a message each, because Discord refused one that held several. */
  one_by_one: number;
}

/** The rendered content is stored with the message, so that sending it again sends the same. */
async function bindNew(
  tx: Tx,
  roomQueue: RoomQueue,
  now: number,
  nowMs: number,
): Promise<Unleased | undefined> {
  const content = await selectContent(tx, roomQueue, now);
  if (!content) return undefined;
  const { id, nonce } = await tx
    .insertInto("castellan.feed_messages")
    .values({
      room_id: roomQueue.room_id,
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
    .where("room_id", "=", roomQueue.room_id)
    .where("event_id", "in", content.eventIds)
    .execute();
  const { embeds, buttons } = content;
  return { id, nonce, boundAtMs: nowMs, embeds, buttons, attempts: 0, uncertain: false };
}

/** The next message of a room: some of its oldest rows, and how they are announced. */
interface Content {
  eventIds: number[];
  embeds: RoomEmbed[];
  buttons: RoomButton[][];
}

/** undefined when nothing waits. `now` in UNIX seconds. */
async function selectContent(tx: Tx, roomQueue: RoomQueue, now: number): Promise<Content | undefined> {
  const waiting = await findWaiting(tx, roomQueue.room_id, roomQueue.one_by_one > 0 ? 1 : mostEmbeds);
  if (waiting.length === 0) return undefined;
  const old = now - oldAfter;
  if (waiting.length === mostEmbeds && waiting.every((event) => event.occurredAt < old)) {
    const digest = await selectDigest(tx, roomQueue.room_id, old);
    if (digest) return digest;
  }
  const events = untilButtons(waiting);
  const lookups = await readLookups(tx, roomQueue.guild_id, events, now * 1000);
  const embeds = fitMessage(events.map((event) => renderEvent(event, lookups)));
  const [first] = events;
  const review = first?.kind === "review.held" ? lookups.reviews.get(first.data.itemId) : undefined;
  return {
    eventIds: events.slice(0, embeds.length).map((event) => event.id),
    embeds,
    buttons: review ? reviewButtons(review) : [],
  };
}

/** What has buttons stands alone in its message, for they belong to one event. */
function untilButtons(events: readonly AnnouncedEvent[]): readonly AnnouncedEvent[] {
  const index = events.findIndex((event) => event.kind === "review.held");
  return index < 0 ? events : events.slice(0, Math.max(1, index));
}

async function selectDigest(tx: Tx, roomId: string, old: number): Promise<Content | undefined> {
  const { rows } = await sql<DigestEvent>`
    select events.id, kind, occurred_at as "occurredAt"
    from castellan.feed_rows rows join castellan.events on events.id = rows.event_id
    where room_id = ${roomId} and message_id is null
    order by event_id limit ${mostDigested}
  `.execute(tx);
  const end = rows.findIndex((event) => event.occurredAt >= old);
  const events = end === -1 ? rows : rows.slice(0, end);
  if (events.length <= fewOld) return undefined;
  return { eventIds: events.map((event) => event.id), embeds: [renderDigest(events)], buttons: [] };
}

async function findWaiting(tx: Tx, roomId: string, limit: number): Promise<AnnouncedEvent[]> {
  const rows = await tx
    .selectFrom("castellan.feed_rows")
    .innerJoin("castellan.events as event", "event.id", "castellan.feed_rows.event_id")
    .selectAll("event")
    .where("room_id", "=", roomId)
    .where("message_id", "is", null)
    .orderBy("event_id")
    .limit(limit)
    .execute();
  return rows.map(toEvent).filter(isAnnounced);
}

/** As many as fit, at least one. */
export function fitMessage(embeds: readonly RoomEmbed[]): RoomEmbed[] {
  let characters = 0;
  const end = embeds.findIndex((embed) => (characters += lengthOf(embed)) > mostCharacters);
  return embeds.slice(0, end === -1 ? mostEmbeds : Math.max(1, end));
}

function lengthOf({ title, description, footer, fields }: RoomEmbed): number {
  const texts = [title, description, footer, ...(fields ?? []).flatMap(({ name, value }) => [name, value])];
  return texts.reduce((total, text) => total + (text?.length ?? 0), 0);
}
