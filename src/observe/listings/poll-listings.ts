import type { BotContext } from "../../bot-context.ts";
import { seconds } from "../../clock.ts";
import type { Channel } from "../../contract/channels.ts";
import type { UnreadableEvent } from "../../contract/endpoint.ts";
import { followCursor } from "../../contract/pages.ts";
import type { Network } from "../../contract/index.ts";
import {
  findWatched,
  markGood,
  noteUnreadable,
  openSource,
  withFailureNoted,
  type Source,
} from "../sources.ts";
import { isSameEntry, listings, type Listing, type ListingEntry, type ListingName } from "./listings.ts";
import { findSnapshot, storeReadings, type ListingReading, type Snapshot } from "./store-listings.ts";

/** Seconds after which a list longer than a page is read completely again … */
const fullEvery = 300;
/** … or, if the channel's member count shows that somebody left, after which it may be. */
const recountEvery = 60;
const pageSize = 1000;
/** If a list does not fit one page, the newest entries are enough to see who entered. */
const glance = 100;
/** A list of several pages can shift while it is read: at most this many users who seem to have left are looked up. */
const maxLookups = 50;

/**
 * Compares a linked channel's record and listings with their last reading. Listings show only active entries: each
 * observed change becomes one event, and changes undone between two readings are missed. Users who entered before the link
 * are the baseline. With `some`, only these listings are read, once there is a baseline.
 */
export async function pollListings(
  context: BotContext,
  channelId: string,
  some?: readonly ListingName[],
): Promise<void> {
  const { database, network } = context;
  const watched = await findWatched(database.query, channelId);
  if (!watched) return;
  const source = await openSource(database.query, `listings/${channelId}`, channelId);
  await withFailureNoted(context, source.source, async () => {
    const before = await findSnapshot(database.query, source);
    const readAtMs = context.clock.now();
    const { channel } = await network.channels.get({ channelId });
    const readings = new Map<Listing, ListingReading>();
    const read = listings.filter(({ name }) => !source.has_baseline || !some || some.includes(name));
    const isWhole = read.length === listings.length;
    for (const listing of read) {
      readings.set(listing, await readAgain(context, source, listing, before, channel));
    }
    const complete = isWhole && [...readings.values()].every((reading) => reading.complete);
    const changed = [...readings.values()].some(
      (reading) => reading.entered.length + reading.vanished.length > 0,
    );
    const sameChannel = JSON.stringify(before.channel) === JSON.stringify(channel);
    const recount = complete && secondsSinceFull(context, source) >= recountEvery;
    if (source.has_baseline && !changed && sameChannel && !recount) {
      await markGood(context, source, readAtMs, isWhole);
    } else {
      const linkedAt = Math.floor(watched.since_ms / 1000);
      const reading = { before, channel, readings, complete, linkedAt, readAtMs, isWhole };
      await storeReadings(context, source, reading);
    }
    await noteUnreadable(
      context,
      source,
      [...readings.values()].flatMap(({ unreadable }) => unreadable),
    );
  });
}

async function readAgain(
  context: BotContext,
  source: Source,
  listing: Listing,
  before: Snapshot,
  channel: Channel,
): Promise<ListingReading> {
  const known: ReadonlyMap<number, ListingEntry> = before.entries.get(listing.name) ?? new Map();
  const age = secondsSinceFull(context, source);
  const full = !source.has_baseline || age >= fullEvery;
  const reading = await readListing(context.network, listing, channel.id, known, full);
  if (reading.complete || listing.name !== "members" || age < recountEvery) return reading;
  const count = known.size + reading.entered.filter((entry) => !known.has(entry.fid)).length;
  if (count === channel.memberCount) return reading;
  return readListing(context.network, listing, channel.id, known, true);
}

function secondsSinceFull(context: BotContext, source: Source): number {
  return source.completed_at_ms === null ? Infinity : seconds(context.clock) - source.completed_at_ms / 1000;
}

/**
 * Changes in a listing since it was last read. New entries are at its top; removed entries show only when it is read
 * completely: always for a list of one page, otherwise with `full`. Throws `network_failed` for an endless listing.
 */
async function readListing(
  network: Network,
  listing: Listing,
  channelId: string,
  known: ReadonlyMap<number, ListingEntry>,
  full: boolean,
): Promise<ListingReading> {
  const seen = new Map<number, ListingEntry>();
  const entered: ListingEntry[] = [];
  const unreadable: UnreadableEvent[] = [];
  const limit = !full && known.size > pageSize ? glance : pageSize;
  const follow = followCursor(`${listing.name} of ${channelId}`);
  let cursor: string | undefined;
  let pages = 0;
  do {
    const page = await listing.read(
      network,
      { channelId, limit, cursor },
      { onUnreadable: (row) => unreadable.push(row) },
    );
    const changed = page.entries.filter((entry) => !seen.has(entry.fid) && isNew(entry, known));
    const stateBefore = seen.size;
    for (const entry of page.entries) seen.set(entry.fid, entry);
    entered.push(...changed);
    cursor = follow(page.cursor, seen.size - stateBefore);
    pages += 1;
    if (!full && cursor !== undefined && changed.length === 0)
      return { entered, vanished: [], complete: false, unreadable };
  } while (cursor !== undefined);
  const missing = [...known.values()].filter((entry) => !seen.has(entry.fid));
  if (pages === 1 && unreadable.length === 0)
    return { entered, vanished: missing, complete: true, unreadable };
  // A row can stay unreadable for months, so the users that may be in it are not looked up each time.
  if (!full && pages === 1) return { entered, vanished: [], complete: false, unreadable };
  return { entered, unreadable, ...(await confirmVanished(network, listing, channelId, missing)) };
}

function isNew(entry: ListingEntry, known: ReadonlyMap<number, ListingEntry>): boolean {
  const before = known.get(entry.fid);
  return !before || !isSameEntry(before, entry);
}

/** Of the users who seem to have left, those for whom the listing has no row when requested alone. */
async function confirmVanished(
  network: Network,
  listing: Listing,
  channelId: string,
  missing: ListingEntry[],
): Promise<Pick<ListingReading, "vanished" | "complete">> {
  const vanished: ListingEntry[] = [];
  let complete = missing.length <= maxLookups;
  for (const entry of missing.slice(0, maxLookups)) {
    const row = await findRow(network, listing, { channelId, fid: entry.fid, limit: 1 });
    if (row === "none") vanished.push(entry);
    // It moved while the pages were read, so others may have, too.
    if (row === "readable") complete = false;
  }
  return { vanished, complete };
}

async function findRow(
  network: Network,
  listing: Listing,
  input: Parameters<Listing["read"]>[1],
): Promise<"none" | "readable" | "unreadable"> {
  let isUnreadable = false;
  const onUnreadable = () => void (isUnreadable = true);
  try {
    const { entries } = await listing.read(network, input, { onUnreadable });
    if (!isUnreadable) return entries.length === 0 ? "none" : "readable";
  } catch (error) {
    // A page with only unreadable rows is rejected as a whole.
    if (!isUnreadable) throw error;
  }
  return "unreadable";
}
