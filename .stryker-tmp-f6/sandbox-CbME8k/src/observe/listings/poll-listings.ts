// @ts-nocheck
import type { Channel } from "../../contract/channels.ts";
import { seconds } from "../../clock.ts";
import type { ObserveContext } from "../append-events.ts";
import { findWatched } from "../find-watched.ts";
import { markGood, noteFailure, openSource, type Source } from "../source.ts";
import { listings, type Listing, type ListingEntry } from "./listing.ts";
import { readListing, type Reading } from "./read-listing.ts";
import { findSnapshot, storeReadings, type Snapshot } from "./store-readings.ts";

/** Lists of more than a page are read to their end so often, in seconds … */
const fullEvery = 300;
/** … and sooner when the channel's member count says that somebody left. */
const recountEvery = 60;

/**
 * Compares a linked channel's record and listings with what they were. Listings show only what is active: each observed
 * change is told once, and what came and went between two looks is not seen. Who entered before the link is the baseline.
 */
export async function pollListings(context: ObserveContext, channelId: string): Promise<void> {
  const { database, network } = context;
  const watched = await findWatched(database.query, channelId);
  if (!watched) return;
  const source = await openSource(database.query, `listings/${channelId}`, channelId);
  await noteFailure(context, source.source, async () => {
    const before = await findSnapshot(database.query, source);
    const lookedAtMs = context.clock.now();
    const { channel } = await network.channels.get({ channelId });
    const readings = new Map<Listing, Reading>();
    for (const listing of listings) {
      readings.set(listing, await look(context, source, listing, before, channel));
    }
    const complete = [...readings.values()].every((reading) => reading.complete);
    const changed = [...readings.values()].some(
      (reading) => reading.entered.length + reading.vanished.length > 0,
    );
    const sameChannel = JSON.stringify(before.channel) === JSON.stringify(channel);
    const recount = complete && secondsSinceFull(context, source) >= recountEvery;
    if (source.baselined && !changed && sameChannel && !recount) {
      return markGood(context, source, lookedAtMs);
    }
    const linkedAt = Math.floor(watched.since_ms / 1000);
    await storeReadings(context, source, { before, channel, readings, complete, linkedAt });
  });
}

async function look(
  context: ObserveContext,
  source: Source,
  listing: Listing,
  before: Snapshot,
  channel: Channel,
): Promise<Reading> {
  const known: ReadonlyMap<number, ListingEntry> = before.entries.get(listing.name) ?? new Map();
  const age = secondsSinceFull(context, source);
  const full = !source.baselined || age >= fullEvery;
  const reading = await readListing(context.network, listing, channel.id, known, full);
  if (reading.complete || listing.name !== "members" || age < recountEvery) return reading;
  const count = known.size + reading.entered.filter((entry) => !known.has(entry.fid)).length;
  if (count === channel.memberCount) return reading;
  return readListing(context.network, listing, channel.id, known, true);
}

function secondsSinceFull(context: ObserveContext, source: Source): number {
  return source.full_at_ms === null ? Infinity : seconds(context.clock) - source.full_at_ms / 1000;
}
