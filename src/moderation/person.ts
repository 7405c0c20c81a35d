import { sql, type Selectable } from "kysely";
import type { Channel } from "../contract/channels.ts";
import { countsAgainst, type CountsAgainst } from "../database/counts-against.ts";
import type { Queryable } from "../database/database.ts";
import type { CaseTable } from "../database/tables/bot.ts";
import type { ListingName } from "../observe/listings/listings.ts";
import { toCase, type Case } from "./cases/case.ts";

/* Stored facts about one person in some channels of a server; each takes one statement for any number of channels. */

/** Somebody's place in a channel, by the last reading of its listings; times in UNIX seconds. */
export interface Place {
  channelId: string;
  staff: "owner" | "moderator" | undefined;
  since: Partial<Record<ListingName, number>>;
  invitedAs: "member" | "moderator" | undefined;
}

/** The same for each of these channels, with their owners. */
export async function readPlaces(
  query: Queryable,
  channelIds: readonly string[],
  fid: number,
): Promise<{ places: Place[]; owners: number[] }> {
  const [entries, snapshots] = await Promise.all([
    query
      .selectFrom("castellan.listing_entries")
      .select(["channel_id", "listing", "at", "role"])
      .where("fid", "=", fid)
      .where("channel_id", "in", [...channelIds])
      .execute(),
    query
      .selectFrom("castellan.channel_snapshots")
      .selectAll()
      .where("channel_id", "in", [...channelIds])
      .execute(),
  ]);
  // Written by Castellan, after validation by the contract.
  const channels = snapshots.map(({ channel_json }) => JSON.parse(channel_json) as Channel);
  const places = channelIds.map((channelId): Place => {
    const own = entries.filter(({ channel_id }) => channel_id === channelId);
    const invite = own.find(({ listing }) => listing === "invites");
    return {
      channelId,
      staff: staffRole(
        channels.find(({ id }) => id === channelId),
        fid,
      ),
      since: Object.fromEntries(own.map(({ listing, at }) => [listing, at])),
      invitedAs: invite ? (invite.role ?? "member") : undefined,
    };
  });
  return { places, owners: [...new Set(channels.flatMap(({ leadFid }) => leadFid ?? []))] };
}

function staffRole(channel: Channel | undefined, fid: number): Place["staff"] {
  if (channel?.leadFid === fid) return "owner";
  return channel?.moderatorFids.includes(fid) ? "moderator" : undefined;
}

/** How many of a server's cases are against a user in each channel, by kind. */
export async function countCasesAgainst(
  query: Queryable,
  guildId: string,
  channelIds: readonly string[],
  fid: number,
): Promise<{ channelId: string; kind: CountsAgainst; count: number }[]> {
  const { rows } = await sql<{ channelId: string; kind: CountsAgainst; count: number }>`
    select channel_id as "channelId", kind, count(*) as count from ${casesAbout(guildId, channelIds, fid)} as about
    where ${countsAgainst("about")} group by channel_id, kind order by count desc, kind
  `.execute(query);
  return rows;
}

/** The latest of them, newest first. */
export async function listCasesAbout(
  query: Queryable,
  guildId: string,
  channelIds: readonly string[],
  fid: number,
  limit: number,
): Promise<Case[]> {
  const { rows } = await sql<Selectable<CaseTable>>`
    select * from ${casesAbout(guildId, channelIds, fid)} as about order by id desc limit ${limit}
  `.execute(query);
  return rows.map(toCase);
}

function casesAbout(guildId: string, channelIds: readonly string[], fid: number) {
  return sql`(
    select * from castellan.cases
    where guild_id = ${guildId} and channel_id = any(${[...channelIds]}::text[]) and subject_fid = ${fid}
  )`;
}
