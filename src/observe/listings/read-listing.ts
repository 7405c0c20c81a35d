import { followCursor } from "../../contract/pages.ts";
import type { Network } from "../../contract/index.ts";
import type { Listing, ListingEntry } from "./listing.ts";

const pageSize = 1000;
/** Of a list that does not fit one page, the newest are enough to see who entered. */
const glance = 100;
/** A list of several pages may shift while it is read: so many who seem to have left are looked up one by one. */
const mostLookups = 50;

export interface Reading {
  entered: ListingEntry[];
  vanished: ListingEntry[];
  /** The listing was read to its end. */
  complete: boolean;
}

/**
 * What changed in a listing since it was last read. New entries are at its top; those that vanished show only when it is
 * read to its end, which `full` asks for and which a list of one page always is. Throws `network_failed` for one without end.
 */
export async function readListing(
  network: Network,
  listing: Listing,
  channelId: string,
  known: ReadonlyMap<number, ListingEntry>,
  full: boolean,
): Promise<Reading> {
  const seen = new Map<number, ListingEntry>();
  const entered: ListingEntry[] = [];
  const limit = !full && known.size > pageSize ? glance : pageSize;
  const follow = followCursor(`${listing.name} of ${channelId}`);
  let cursor: string | undefined;
  let pages = 0;
  do {
    const page = await listing.read(network, { channelId, limit, cursor });
    const changed = page.entries.filter((entry) => !seen.has(entry.fid) && isNew(entry, known));
    const seenBefore = seen.size;
    for (const entry of page.entries) seen.set(entry.fid, entry);
    entered.push(...changed);
    cursor = follow(page.cursor, seen.size - seenBefore);
    pages += 1;
    if (!full && cursor !== undefined && changed.length === 0)
      return { entered, vanished: [], complete: false };
  } while (cursor !== undefined);
  const missing = [...known.values()].filter((entry) => !seen.has(entry.fid));
  const vanished = pages === 1 ? missing : await confirmVanished(network, listing, channelId, missing);
  return { entered, vanished, complete: vanished.length === missing.length };
}

function isNew(entry: ListingEntry, known: ReadonlyMap<number, ListingEntry>): boolean {
  const before = known.get(entry.fid);
  return !before || before.at !== entry.at || before.role !== entry.role;
}

async function confirmVanished(
  network: Network,
  listing: Listing,
  channelId: string,
  missing: ListingEntry[],
): Promise<ListingEntry[]> {
  const confirmed: ListingEntry[] = [];
  for (const entry of missing.slice(0, mostLookups)) {
    const { entries } = await listing.read(network, { channelId, fid: entry.fid, limit: 1 });
    if (entries.length === 0) confirmed.push(entry);
  }
  return confirmed;
}
