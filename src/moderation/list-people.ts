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

interface ListedPerson {
  fid: number;
  at: number;
  /** For invites: the role and the inviter. */
  role: "member" | "moderator" | null;
  inviterFid: number | null;
}

/** The users in a channel's listing by its last reading, newest first, and the total number. */
export async function listPeople(
  query: Queryable,
  { channelId, listing, begins, offset, limit }: Asked,
): Promise<{ people: ListedPerson[]; all: number }> {
  const listed = query
    .selectFrom("castellan.listing_entries as entry")
    .where("entry.channel_id", "=", channelId)
    .where("entry.listing", "=", listing)
    .where(beginsLike("entry.fid", begins.trim().replace(/^@/, "").toLowerCase()));
  const [people, { all }] = await Promise.all([
    listed
      .select(["entry.fid", "entry.at", "entry.role", "entry.inviter_fid as inviterFid"])
      .orderBy("entry.at", "desc")
      .orderBy("entry.fid")
      .offset(offset)
      .limit(limit)
      .execute(),
    listed.select((row) => row.fn.countAll<number>().as("all")).executeTakeFirstOrThrow(),
  ]);
  return { people, all };
}

/** The users among these who are in one of these listings of a channel, by the last reading, each with one listing. */
export async function findListed(
  query: Queryable,
  channelId: string,
  listings: readonly ListingName[],
  fids: readonly number[],
): Promise<Map<number, ListingName>> {
  if (fids.length === 0) return new Map();
  const rows = await query
    .selectFrom("castellan.listing_entries")
    .select(["fid", "listing"])
    .where("channel_id", "=", channelId)
    .where("listing", "in", [...listings])
    .where(sql<boolean>`fid = any(${[...fids]}::bigint[])`)
    .execute();
  return new Map(rows.map(({ fid, listing }) => [fid, listing]));
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
