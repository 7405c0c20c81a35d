import { sql } from "kysely";
import type { Queryable } from "../database/database.ts";
import type { ListingName } from "../observe/listings/listings.ts";
import { beginsLike } from "./suggest-users.ts";

interface Asked {
  channelId: string;
  listing: ListingName;
  /** The beginning of a name or a fid. */
  begins: string;
  offset: number;
  limit: number;
}

/** The users in a channel's listing by its last reading, newest first, and the total number. */
export async function listPeople(
  query: Queryable,
  { channelId, listing, begins, offset, limit }: Asked,
): Promise<{ people: { fid: number; at: number }[]; all: number }> {
  const listed = query
    .selectFrom("castellan.listing_entries as entry")
    .where("entry.channel_id", "=", channelId)
    .where("entry.listing", "=", listing)
    .where(beginsLike("entry.fid", begins.trim().replace(/^@/, "").toLowerCase()));
  const [people, { all }] = await Promise.all([
    listed
      .select(["entry.fid", "entry.at"])
      .orderBy("entry.at", "desc")
      .orderBy("entry.fid")
      .offset(offset)
      .limit(limit)
      .execute(),
    listed.select((row) => row.fn.countAll<number>().as("all")).executeTakeFirstOrThrow(),
  ]);
  return { people, all };
}

/** The users among these who are members of a channel, by the listing's last reading. */
export async function findMembersAmong(
  query: Queryable,
  channelId: string,
  fids: readonly number[],
): Promise<Set<number>> {
  if (fids.length === 0) return new Set();
  const rows = await query
    .selectFrom("castellan.listing_entries")
    .select("fid")
    .where("channel_id", "=", channelId)
    .where("listing", "=", "members")
    .where(sql<boolean>`fid = any(${[...fids]}::bigint[])`)
    .execute();
  return new Set(rows.map(({ fid }) => fid));
}

/** When a channel's listing was last read successfully, in UNIX seconds. */
export async function readListingTime(
  query: Queryable,
  channelId: string,
  listing: ListingName,
): Promise<number | undefined> {
  const row = await query
    .selectFrom("castellan.sources")
    .select("succeeded_at_ms")
    .where("source", "in", [`${listing}/${channelId}`, `listings/${channelId}`])
    .orderBy("succeeded_at_ms", (order) => order.desc().nullsLast())
    .executeTakeFirst();
  return row?.succeeded_at_ms ? row.succeeded_at_ms / 1000 : undefined;
}
