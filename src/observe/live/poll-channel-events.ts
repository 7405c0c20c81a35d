import { sql } from "kysely";
import type { ChannelEvent, LiveCalls } from "../../contract/channel-events.ts";
import type { Queryable, Tx } from "../../database/database.ts";
import { AppError, asAppError, isFinalStatus } from "../../errors.ts";
import { channelEventPrefix } from "../events.ts";
import { latestPast, markGood, moveSource, withFailureNoted, type Source } from "../sources.ts";
import type { ChannelChange } from "./channel-changes.ts";
import { eventsSource, newestSource } from "./current-plan.ts";
import type { LiveContext } from "./live-context.ts";
import { storeChanges } from "./store-changes.ts";

const pageSize = 200;
const maxPages = 20;
/** An event may become visible this much later than newer ones. */
const overlapMs = 15_000;
/** How long event ids stay stored. */
const idLifetimeMs = 24 * 3600_000;

/**
 * Reads the events of all channels since the last time, in one call if they fit a page. Reads back even over a long time,
 * because no listing shows short-lived changes. False if the network does not serve these events. The first time, it
 * continues from the last reading of the newest entries, or only finds where to begin, because listings cover the rest.
 */
export async function pollChannelEvents(context: LiveContext, source: Source): Promise<boolean> {
  const { channelEvents } = context.live.background("changes");
  const readAtMs = context.clock.now();
  return withFailureNoted(context, source.source, async () => {
    const known = source.has_baseline ? latestPast(source.position, [], readAtMs) : await findListed(context);
    const page = await readSince(channelEvents, known ?? Infinity).catch((error: unknown) =>
      notServed(error),
    );
    if (!page) {
      await noteNotServed(context, source);
      return false;
    }
    // Events much older than the newest known one were announced, or precede the first reading.
    const late = (known ?? 0) - overlapMs;
    const events = page.events.filter(({ ts }) => ts > late);
    if (source.has_baseline && events.length === 0 && page.reachesBack) {
      await markGood(context, source, readAtMs);
      await noteReadThrough(context.database.query, readAtMs, ["listings/%", "records/%"]);
    } else {
      const isNews = known !== undefined;
      await storeEventPage(context, source, { events, isNews, reachesBack: page.reachesBack }, readAtMs);
    }
    return true;
  });
}

/** UNIX milliseconds up to which the newest entries of all channels were read; undefined if they never were. */
async function findListed({ database }: LiveContext): Promise<number | undefined> {
  const newest = await database.query
    .selectFrom("castellan.sources")
    .select("position")
    .where("source", "=", newestSource)
    .where("has_baseline", "=", true)
    .executeTakeFirst();
  return newest && newest.position * 1000;
}

async function storeEventPage(
  context: LiveContext,
  source: Source,
  page: EventPage & { isNews: boolean },
  readAtMs: number,
): Promise<void> {
  const wakes = await context.database.transaction(async (tx) => {
    const times = page.events.map(({ ts }) => ts);
    const position = latestPast(source.position, times, readAtMs);
    const newest_at = position === 0 ? null : Math.floor(position / 1000);
    if (!(await moveSource(tx, source, { has_baseline: true, position, newest_at }, readAtMs))) return [];
    const unseen = await takeUnseen(tx, page.events, readAtMs);
    await noteReadThrough(tx, readAtMs, ["listings/%", "records/%"]);
    if (!page.reachesBack && page.isNews) await readAllAgain(context, tx);
    const news = page.isNews ? oldestFirst(unseen) : [];
    const nowMs = context.clock.now();
    const changes = news.flatMap((event) => toChanges({ ...event, ts: Math.min(event.ts, nowMs) }));
    const stored = await storeChanges(context, tx, changes);
    await context.appendEvents(tx, stored.events);
    const ofBot = news.filter((event) => "fid" in event && event.fid === context.botFid);
    return [
      ...stored.readAgain.map((id) => ["poll-listings", id] as const),
      ...ofBot.map(({ channelId }) => ["verify-links", channelId] as const),
    ];
  });
  for (const [worker, channelId] of wakes) await context.wake(worker, channelId);
}

interface EventPage {
  /** Newest first. */
  events: ChannelEvent[];
  /** The newest known event was found again, so no event is missing. */
  reachesBack: boolean;
}

/** Back to the time (UNIX milliseconds) of the newest known event; one page for Infinity. */
async function readSince(calls: LiveCalls["channelEvents"], known: number): Promise<EventPage> {
  const found = new Map<string, ChannelEvent>();
  let maxTs: number | undefined;
  for (let pages = 0; pages < maxPages; pages += 1) {
    const { events } = await calls.list({ limit: pageSize, ...(maxTs !== undefined && { maxTs }) });
    // Reading all channels again, as after missing events, would go on for as long as none come.
    if (events.length === 0 && pages === 0 && known > 0 && known < Infinity) {
      throw new AppError("network_failed", "The network returns none of its earlier channel events.");
    }
    const before = found.size;
    for (const event of events) found.set(event.eventId, event);
    const oldest = Math.min(...events.map(({ ts }) => ts));
    const reachesBack = oldest <= known || known === 0;
    if (reachesBack || found.size === before) return { events: [...found.values()], reachesBack };
    // Other events of the same millisecond may be on the next page.
    maxTs = oldest === maxTs ? oldest - 1 : oldest;
  }
  return { events: [...found.values()], reachesBack: false };
}

/** Undefined if the network has no such call; rethrows failures. */
function notServed(error: unknown): undefined {
  const { status = 0 } = asAppError(error) ?? {};
  if (isFinalStatus(status) || status === 501) return undefined;
  throw error;
}

/** The position stays: if the network serves events again, reading continues from there. */
async function noteNotServed({ database }: LiveContext, { source }: Source): Promise<void> {
  await database.query
    .updateTable("castellan.sources")
    .set({ succeeded_at_ms: null, failing_since_ms: null, error: null })
    .where("source", "=", source)
    .execute();
}

async function takeUnseen(tx: Tx, events: readonly ChannelEvent[], nowMs: number): Promise<ChannelEvent[]> {
  if (events.length === 0) return [];
  // The ids in the page stay, however long ago the network's last event was.
  const forgotten = Math.min(nowMs - idLifetimeMs, ...events.map(({ ts }) => ts));
  await tx.deleteFrom("castellan.channel_events").where("happened_at_ms", "<", forgotten).execute();
  const inserted = await tx
    .insertInto("castellan.channel_events")
    .values(events.map(({ eventId, ts }) => ({ event_id: eventId, happened_at_ms: ts })))
    .onConflict((conflict) => conflict.doNothing())
    .returning("event_id")
    .execute();
  const unseen = new Set(inserted.map(({ event_id }) => event_id));
  return events.filter(({ eventId }) => unseen.has(eventId));
}

/** Rows are written only this often, so that not every poll writes one for each channel. Milliseconds. */
const noteEvery = 20_000;

/** Events of all channels up to now are as good as a reading of each channel. */
export async function noteReadThrough(
  db: Queryable,
  readAtMs: number,
  patterns: readonly string[],
): Promise<void> {
  await db
    .updateTable("castellan.sources")
    .set({ succeeded_at_ms: readAtMs })
    .where(sql<boolean>`source like any(${patterns}::text[])`)
    .where("has_baseline", "=", true)
    .where("succeeded_at_ms", "<", readAtMs - noteEvery)
    .execute();
}

/** Pages are newest first, even within one moment: a user accepts an invite before they become a member. */
function oldestFirst(events: readonly ChannelEvent[]): ChannelEvent[] {
  return events.toReversed().toSorted((one, other) => one.ts - other.ts);
}

/** More happened than the network still returns: each channel is read again as soon as the budget permits. */
async function readAllAgain({ log }: LiveContext, tx: Tx): Promise<void> {
  log.warn({ source: eventsSource }, "channel events are missing; rereading all channels");
  await tx
    .updateTable("castellan.sources")
    .set({ all_listings_at_ms: null })
    .where("source", "like", "listings/%")
    .execute();
}

function toChanges(event: ChannelEvent): ChannelChange[] {
  const { channelId, ts } = event;
  const base = {
    id: `${channelEventPrefix}${event.eventId}`,
    channelId,
    at: Math.floor(ts / 1000),
    byEvent: true,
  };
  switch (event.type) {
    case "role-changed":
      return [{ ...base, what: "standing", fid: event.fid, standing: event.role }];
    case "invite-created":
      return [{ ...base, what: "invited", fid: event.fid, role: event.role, inviterFid: null }];
    case "invite-accepted":
      return [
        { ...base, what: "invite ended", fid: event.fid, role: event.role },
        { ...base, what: "standing", fid: event.fid, standing: event.role },
      ];
    case "invite-declined":
    case "invite-revoked":
      return [{ ...base, what: "invite ended", fid: event.fid, role: event.role }];
    case "channel-followed":
      return [{ ...base, what: "followed", fid: event.fid }];
    case "channel-unfollowed":
      return [];
    case "cast-hidden":
      return [
        { ...base, what: "moderated", castHash: event.castHash, castFid: event.castFid, action: "hide" },
      ];
    case "cast-unhidden":
      return [
        { ...base, what: "moderated", castHash: event.castHash, castFid: event.castFid, action: "unhide" },
      ];
    case "cast-pinned":
      return [{ ...base, what: "pinned", castHash: event.castHash }];
    case "cast-unpinned":
      return [{ ...base, what: "unpinned", castHash: event.castHash }];
    case "owner-changed":
    case "channel-created":
    case "other":
      return [{ ...base, what: "other" }];
  }
}
