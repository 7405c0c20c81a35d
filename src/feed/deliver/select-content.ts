import { sql, type RawBuilder } from "kysely";
import type { Tx } from "../../database/database.ts";
import { textsFor, type Language } from "../../languages/languages.ts";
import { discordLimits } from "../../limits/discord-limits.ts";
import { toEvent } from "../../observe/events.ts";
import { isAnnounced, massRank, rankOf, type AnnouncedEvent, type AnnouncedKind } from "../feed-kinds.ts";
import { readLookups } from "../render/lookups.ts";
import { fitPosts, layOut, renderPost } from "../render/lay-out.ts";
import { renderDigest, type DigestCause, type DigestEvent } from "../render/render-event.ts";
import type { RoomButton, RoomEmbed } from "../rooms.ts";

/** Seconds: events older than this go into a digest … */
const oldAfter = 3600;
/** … if more than this many of them wait. */
const fewOld = 20;
/** If more name and cast events than this wait, they go into a digest, because they would keep the room busy for long. */
const maxWaiting = 500;
/** Fewer than this are posted one by one, even in a room with digests. */
const fewestSummed = 3;
/** The most events in one digest. */
const maxDigested = 2000;

/** The next message of a room: some of its rows, and how they are posted. */
interface Content {
  /** The events of the rows, with those that follow them. */
  eventIds: number[];
  digest: boolean;
  /** It reports an event that could not be shown. */
  unshown?: boolean;
  /** The kinds of its posts; empty for a digest. */
  kinds: AnnouncedKind[];
  /** More of what is due now waits. */
  isMore: boolean;
  embeds: RoomEmbed[];
  buttons: RoomButton[][];
}

interface RoomQueue {
  room_id: string;
  guild_id: string;
  /** This many of the next events get a message each, because Discord refused one that held several. */
  one_by_one: number;
  /** Base address of links to casts. */
  linkBase: string;
  language: Language;
  forReaders: boolean;
  /** Anything that is not urgent waits, or goes into a digest. */
  onlyUrgent: boolean;
  sumsUp: boolean;
}

type Room = Pick<RoomQueue, "room_id" | "language" | "forReaders">;

/** Undefined if nothing waits. `now` in UNIX seconds. */
export async function selectContent(tx: Tx, roomQueue: RoomQueue, now: number): Promise<Content | undefined> {
  const { sumsUp, onlyUrgent, one_by_one, room_id, language, forReaders } = roomQueue;
  const all = await findWaiting(
    tx,
    room_id,
    one_by_one > 0 ? 1 : discordLimits.embeds,
    onlyUrgent ? 0 : massRank,
  );
  const urgent = all.filter(({ kind }) => rankOf(kind) === 0);
  if (sumsUp && urgent.length === 0 && one_by_one === 0) {
    const sum = await selectSum(tx, roomQueue);
    if (sum) return sum;
  }
  const isMore = sumsUp && urgent.length > 0;
  const waiting = isMore ? urgent : all;
  if (waiting.length === 0) return undefined;
  const mass = waiting.length === discordLimits.embeds && (await selectDigest(tx, roomQueue, waiting, now));
  if (mass) return mass;
  // Events in one message are shown in the order in which they happened.
  const events = waiting.toSorted((a, b) => a.id - b.id);
  const groups = await findFollowers(tx, roomQueue.room_id, events);
  const { guild_id, linkBase } = roomQueue;
  const room = { roomId: room_id, language, forReaders };
  const lookups = await readLookups(tx, guild_id, groups.flat(), now * 1000, linkBase, room);
  const posts = fitPosts(groups.map((group) => renderPost(group, lookups)));
  const told = groups.slice(0, posts.length).flat();
  const kinds = told.map(({ kind }) => kind);
  return { eventIds: told.map(({ id }) => id), digest: false, kinds, isMore, ...layOut(posts) };
}

/** One embed for many events of the first one's rank, because there are too many or they are old; undefined otherwise. */
async function selectDigest(
  tx: Tx,
  room: Room,
  waiting: readonly AnnouncedEvent[],
  now: number,
): Promise<Content | undefined> {
  const [rank = 0, ...others] = new Set(waiting.map(({ kind }) => rankOf(kind)));
  if (others.length > 0) return undefined;
  const old = now - oldAfter;
  if (rank !== massRank && waiting.some((event) => event.occurredAt >= old)) return undefined;
  const rows = await readWaiting(tx, room.room_id, sql<boolean>`rank = ${rank}`);
  const isFlood = rank === massRank && rows.length > maxWaiting;
  const end = isFlood ? -1 : rows.findIndex((event) => event.occurredAt >= old);
  const events = end === -1 ? rows : rows.slice(0, end);
  if (events.length <= fewOld) return undefined;
  return digest(tx, room, events, isFlood ? "flood" : "old");
}

/** The next digest of a room that has digests. */
async function selectSum(tx: Tx, room: Room): Promise<Content | undefined> {
  const rows = await readWaiting(tx, room.room_id, sql<boolean>`rank > 0`);
  return rows.length >= fewestSummed ? digest(tx, room, rows, "sum") : undefined;
}

async function readWaiting(
  tx: Tx,
  roomId: string,
  isOfRank: RawBuilder<boolean>,
): Promise<readonly DigestEvent[]> {
  const { rows } = await sql<DigestEvent>`
    select events.id, kind, occurred_at as "occurredAt"
    from castellan.feed_rows rows join castellan.events on events.id = rows.event_id
    where room_id = ${roomId} and message_id is null and head_id is null and ${isOfRank}
    order by event_id limit ${maxDigested}
  `.execute(tx);
  return rows;
}

async function digest(
  tx: Tx,
  { room_id: roomId, language, forReaders }: Room,
  events: readonly DigestEvent[],
  cause: DigestCause,
): Promise<Content> {
  const embed = renderDigest(events, cause, textsFor(language).posts, forReaders);
  const ids = events.map((event) => event.id);
  const followers = await tx
    .selectFrom("castellan.feed_rows")
    .select("event_id")
    .where("room_id", "=", roomId)
    .where("message_id", "is", null)
    .where("head_id", "in", ids)
    .execute();
  const eventIds = [...ids, ...followers.map(({ event_id }) => event_id)];
  const isMore = events.length === maxDigested;
  return { eventIds, digest: true, kinds: [], isMore, embeds: [embed], buttons: [] };
}

/** The next events: the most urgent, and among these the oldest first. */
async function findWaiting(
  tx: Tx,
  roomId: string,
  limit: number,
  highestRank: number,
): Promise<AnnouncedEvent[]> {
  const rows = await tx
    .selectFrom("castellan.feed_rows")
    .innerJoin("castellan.events as event", "event.id", "castellan.feed_rows.event_id")
    .selectAll("event")
    .where("room_id", "=", roomId)
    .where("message_id", "is", null)
    .where("head_id", "is", null)
    .where("rank", "<=", highestRank)
    .orderBy("rank")
    .orderBy("event_id")
    .limit(limit)
    .execute();
  return rows.map(toEvent).filter(isAnnounced);
}

/** Each of these events with the events that follow it in the room and are not posted yet, in order. */
async function findFollowers(
  tx: Tx,
  roomId: string,
  heads: readonly AnnouncedEvent[],
): Promise<AnnouncedEvent[][]> {
  const rows = await tx
    .selectFrom("castellan.feed_rows")
    .innerJoin("castellan.events as event", "event.id", "castellan.feed_rows.event_id")
    .selectAll("event")
    .select("head_id")
    .where("room_id", "=", roomId)
    .where("message_id", "is", null)
    .where(
      "head_id",
      "in",
      heads.map(({ id }) => id),
    )
    .orderBy("event_id")
    .execute();
  return heads.map((head) => {
    const own = rows.filter(({ head_id }) => head_id === head.id).map(toEvent);
    // A more urgent event is the head of one that happened before it.
    return [head, ...own.filter(isAnnounced)].toSorted((a, b) => a.id - b.id);
  });
}
