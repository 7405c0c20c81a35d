import { sql } from "kysely";
import type { BotContext } from "../bot-context.ts";
import type { Tx } from "../database/database.ts";
import { afterCommit } from "../database/transactions.ts";
import { findChangedGroups, followGroups } from "./post-groups.ts";
import type { ChannelEvent, ChannelEventOf } from "../observe/events.ts";
import { requestCastEdits, requestEdits, requestEditsOf } from "./request-edits.ts";
import { wants, type FeedFilter, type FeedEvent } from "./wants.ts";
import { isAnnounced, isForReaders, kindsOf, rankOf, type AnnouncedEvent } from "./feed-kinds.ts";

/**
 * Adds a row for each event and each room that wants it: a subscriber of the transaction that stores events, which holds
 * the counter of all events. So the number of statements does not depend on the number of events and feeds. After the
 * commit the rooms are served, and their earlier posts are edited.
 */
export function queueFeedRows({ wake }: Pick<BotContext, "wake">) {
  return async (tx: Tx, events: readonly ChannelEvent[]): Promise<void> => {
    await addWidened(tx, events);
    const announced = events.filter(isAnnounced);
    if (announced.length === 0) return;
    const rooms = await insertRows(tx, announced);
    afterCommit(() => {
      for (const roomId of rooms) void wake("deliver-feed", roomId);
    });
    const { groups, eventIds } = await findChangedGroups(tx, announced);
    const observedAt = Math.max(...announced.map((event) => event.observedAt));
    const hasPosts = await requestEdits(tx, { groups, eventIds }, observedAt);
    const hasCasts = await requestCastEdits(tx, announced, observedAt);
    if (hasPosts || hasCasts) afterCommit(() => void wake("send-outbox"));
  };
}

/** Returns the rooms that got a row. */
async function insertRows(tx: Tx, announced: readonly AnnouncedEvent[]): Promise<Set<string>> {
  const rows = await selectRooms(tx, announced);
  if (rows.length > 0) {
    await sql`
      insert into castellan.feed_rows (room_id, event_id, rank)
      select room.id, event.id, event.rank
      from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as event (id bigint, rank integer, rooms text[])
      cross join unnest(event.rooms) as room (id)
      on conflict do nothing
    `.execute(tx);
    await followGroups(tx, announced);
  }
  return new Set(rows.flatMap(({ rooms }) => rooms));
}

/** The rooms for each event that any room wants, in at most three statements. */
async function selectRooms(
  tx: Tx,
  events: readonly AnnouncedEvent[],
): Promise<{ id: number; rank: number; rooms: string[] }[]> {
  const feeds = await loadFeeds(tx, events);
  if (feeds.length === 0) return [];
  const bulkGuilds = await findBulkGuilds(tx, events);
  const members = await findMembers(tx, events, feeds);
  return events.flatMap((event) => {
    const feedEvent = toFeedEvent(event, bulkGuilds, members);
    const rooms = new Set(feeds.filter((feed) => wants(feed, feedEvent)).map(({ roomId }) => roomId));
    return rooms.size === 0 ? [] : [{ id: event.id, rank: rankOf(event.kind), rooms: [...rooms] }];
  });
}

/** All servers' feeds that may want any of these events. */
async function loadFeeds(tx: Tx, events: readonly AnnouncedEvent[]): Promise<FeedFilter[]> {
  const ofEverybody = events.filter((event) => guildOf(event) === null);
  const guildIds = new Set(events.map(guildOf).filter((guildId) => guildId !== null));
  const channelIds = new Set(ofEverybody.flatMap(({ channelId }) => channelId ?? []));
  const isForAll = ofEverybody.some(({ channelId }) => channelId === null);
  const { rows } = await sql<FeedFilter>`
    select guild_id as "guildId", room_id as "roomId", channel_ids as "channelIds", kinds, name_pattern as "namePattern",
      people_only as "peopleOnly",
      (select for_readers from castellan.room_queues as queue where queue.room_id = feeds.room_id) as "forReaders",
      array(select channel_id from castellan.links where links.guild_id = feeds.guild_id) as "linkedChannelIds"
    from castellan.feeds
    where ended_at_ms is null and guild_id = any(array(
      select unnest(${[...guildIds]}::text[])
      union select guild_id from castellan.links where ${isForAll} or channel_id = any(${[...channelIds]}::text[])))
  `.execute(tx);
  return rows;
}

/** The bulk and its server for each case that belongs to one. */
async function findBulkGuilds(tx: Tx, events: readonly AnnouncedEvent[]): Promise<Map<number, string>> {
  const caseIds = events.flatMap(({ caseId }) => caseId ?? []);
  if (caseIds.length === 0) return new Map();
  const cases = await tx
    .selectFrom("castellan.cases")
    .select(["id", "guild_id"])
    .where("id", "in", caseIds)
    .where("bulk_id", "is not", null)
    .execute();
  return new Map(cases.map(({ id, guild_id }) => [id, guild_id]));
}

/** The servers whose channels have a name proof's users as members, if a feed filters by that. */
async function findMembers(
  tx: Tx,
  events: readonly AnnouncedEvent[],
  feeds: readonly FeedFilter[],
): Promise<Map<number, string[]>> {
  const fids = events.flatMap((event) => (event.kind === "username_proof.merged" ? peopleOf(event) : []));
  if (fids.length === 0 || !feeds.some(({ peopleOnly }) => peopleOnly)) return new Map();
  const { rows } = await sql<{ fid: number; guildIds: string[] }>`
    select entries.fid, array_agg(distinct links.guild_id) as "guildIds"
    from castellan.listing_entries as entries join castellan.links using (channel_id)
    where entries.listing = 'members' and entries.fid = any(${fids}::bigint[])
    group by entries.fid
  `.execute(tx);
  return new Map(rows.map(({ fid, guildIds }) => [fid, guildIds]));
}

function toFeedEvent(
  event: AnnouncedEvent,
  bulkGuilds: ReadonlyMap<number, string>,
  members: ReadonlyMap<number, readonly string[]>,
): FeedEvent {
  const feedEvent = {
    kinds: kindsOf(event),
    forReaders: isForReaders(event),
    channelId: event.channelId,
    otherChannelIds: event.kind === "bulk.begun" ? event.data.otherChannelIds : undefined,
    guildId: guildOf(event),
    roomId: "roomId" in event.data ? (event.data.roomId ?? null) : null,
    bulkGuildId: event.caseId === null ? null : (bulkGuilds.get(event.caseId) ?? null),
  };
  if (event.kind !== "username_proof.merged") return feedEvent;
  const names = [event.data.name, event.data.previousName].filter((name) => name !== undefined);
  const memberOf = new Set(peopleOf(event).flatMap((fid) => members.get(fid) ?? []));
  return { ...feedEvent, name: { names, memberOf } };
}

/** The server that an event belongs to, if it concerns only one. */
function guildOf({ data }: AnnouncedEvent): string | null {
  return "guildId" in data ? data.guildId : null;
}

function peopleOf({ subjectFid, data }: ChannelEventOf<"username_proof.merged">): number[] {
  return [subjectFid, data.previousFid].filter((fid) => typeof fid === "number");
}

/** A review item now covers another channel: its post is edited. */
async function addWidened(tx: Tx, events: readonly ChannelEvent[]): Promise<void> {
  const widened = events.flatMap((event) => (event.kind === "review.widened" ? [event] : []));
  const [first] = widened;
  if (!first) return;
  const held = widened.map(({ data }) => `held ${data.itemId}`);
  await requestEditsOf(tx, held, first.observedAt);
}
