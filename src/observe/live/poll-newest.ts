import { seconds } from "../../clock.ts";
import { followCursor } from "../../contract/pages.ts";
import { findListing, type ListingEntry, type ListingName } from "../listings/listings.ts";
import { storeListedRecords } from "../records/poll-records.ts";
import { readWindow } from "../records/read-records.ts";
import { moveSource, openSource, withFailureNoted } from "../sources.ts";
import type { ChannelChange } from "./channel-changes.ts";
import { newestSource } from "./current-plan.ts";
import type { LiveContext } from "./live-context.ts";
import { noteReadThrough } from "./poll-channel-events.ts";
import { storeChanges } from "./store-changes.ts";

/** Entries from this many seconds before the last reading are read again, because they may become visible late. */
const overlap = 15;
const pageSize = 200;
const maxPages = 20;
/** Seconds: after a longer pause, each channel's own reading shows the changes in it. */
const farthest = 3600;

/**
 * Reads the newest entries of the listings that need no channel, for all channels: bans, restrictions, invites, records. A
 * removal shows only if the user entered another listing. Events have announced everything before `announcedUntilMs`.
 */
export async function pollNewest(context: LiveContext, announcedUntilMs: number): Promise<void> {
  const { database, clock } = context;
  const source = await openSource(database.query, newestSource, null);
  const readAtMs = clock.now();
  await withFailureNoted(context, source.source, async () => {
    const now = seconds(clock);
    const known = Math.max(source.has_baseline ? source.position : 0, Math.floor(announcedUntilMs / 1000));
    const last = known > now - farthest && known <= now ? known : now;
    const changes: ChannelChange[] = [];
    for (const name of ["bans", "restrictions", "invites"] as const) {
      changes.push(...(await readEntered(context, name, last - overlap)));
    }
    changes.sort((one, other) => one.at - other.at);
    await pollNewestRecords(context, last - overlap, readAtMs);
    const readAgain = await database.transaction(async (tx) => {
      const moved = await moveSource(
        tx,
        source,
        { has_baseline: true, position: now, newest_at: now },
        readAtMs,
      );
      if (!moved) return [];
      const stored = await storeChanges(context, tx, changes);
      await context.appendEvents(
        tx,
        stored.events.map((event) => ({ ...event, readAtMs })),
      );
      await noteReadThrough(tx, readAtMs, ["records/%"]);
      return stored.readAgain;
    });
    for (const channelId of readAgain) await context.wake("poll-listings", channelId);
  });
}

/** Entries of all channels since a given second. */
async function readEntered(
  { network }: LiveContext,
  name: Exclude<ListingName, "members">,
  from: number,
): Promise<ChannelChange[]> {
  const listing = findListing(name);
  const changes: ChannelChange[] = [];
  const follow = followCursor(`${name} of all channels`);
  let cursor: string | undefined;
  for (let pages = 0; pages < maxPages; pages += 1) {
    const page = await listing.read(network, { limit: pageSize, cursor });
    const fresh = page.entries.filter(({ at }) => at >= from);
    changes.push(...fresh.flatMap((entry) => toChange(name, entry)));
    if (fresh.length < page.entries.length) break;
    cursor = follow(page.cursor, fresh.length);
    if (cursor === undefined) break;
  }
  return changes;
}

function toChange(
  name: ListingName,
  { channelId, fid, at, role, inviterFid }: ListingEntry,
): ChannelChange[] {
  if (channelId === undefined) return [];
  const base = { id: `${name}:${channelId}:${fid}:${at}`, channelId, at, byEvent: false, fid };
  if (name === "invites") return [{ ...base, what: "invited", role: role ?? "member", inviterFid }];
  return [{ ...base, what: "standing", standing: name === "bans" ? "banned" : "restricted" }];
}

/** The records of each watched channel that has a baseline; a channel's first reading is separate. */
async function pollNewestRecords(context: LiveContext, from: number, readAtMs: number): Promise<void> {
  const listed = await readWindow(context.network, undefined, from);
  const channels = new Set(listed.map(({ channelId }) => channelId));
  if (channels.size === 0) return;
  const sources = await context.database.query
    .selectFrom("castellan.sources as source")
    .innerJoin("castellan.watched_channels as watched", "watched.channel_id", "source.channel_id")
    .selectAll("source")
    .select("watched.since_ms")
    .where("source.source", "like", "records/%")
    .where("source.channel_id", "in", [...channels])
    .where("source.has_baseline", "=", true)
    .execute();
  for (const { since_ms, ...source } of sources) {
    const own = listed.filter(({ channelId }) => channelId === source.channel_id);
    const linkedAt = Math.floor(since_ms / 1000);
    await storeListedRecords(context, source, own, { from, linkedAt, readAtMs });
  }
}
