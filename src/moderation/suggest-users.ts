import { sql, type Expression } from "kysely";
import type { BotContext } from "../bot-context.ts";
import type { Queryable } from "../database/database.ts";
import { discordLimits } from "../limits/discord-limits.ts";
import { withNames, type User } from "../observe/people.ts";
import type { ListingName } from "../observe/listings/listings.ts";
import { eachChannel, newestOfEach, newestSearched } from "./each-channel.ts";
import { staffOf } from "./staff.ts";

/** The purpose of a command, which determines which users to suggest. */
export type UserPurpose = "any" | "case" | "ban" | "unban" | "invite" | "revoke";

/** Listings whose users are suggested, or excluded. */
const meant: Partial<Record<UserPurpose, readonly ListingName[]>> = {
  unban: ["bans"],
  revoke: ["invites", "members"],
};
const impossible: Partial<Record<UserPurpose, readonly ListingName[]>> = {
  ban: ["bans"],
  invite: ["bans", "members", "invites"],
};

interface Asked {
  purpose: UserPurpose;
  guildId: string;
  /** The channels in which it can happen; never empty. */
  channelIds: readonly string[];
}

/** Users whose name or fid begins with the typed text and who suit the command, the likeliest first. */
export async function suggestUsers(context: BotContext, asked: Asked, typed: string): Promise<User[]> {
  const { purpose, channelIds } = asked;
  const { query } = context.database;
  const begins = typed.trim().replace(/^@/, "").toLowerCase();
  const staff = purpose === "any" || purpose === "case" ? [] : await readStaff(context, channelIds);
  const listed = meant[purpose];
  const found = listed
    ? await findListed(query, listed, channelIds, begins)
    : await findPossible(query, asked, begins);
  const fids = [...new Set(found)].filter((fid) => !staff.includes(fid)).slice(0, discordLimits.choices);
  return withNames(query, fids);
}

/** Users that cannot be acted on in any of these channels: an owner, moderator or Castellan in all of them. */
async function readStaff({ database, botFid }: BotContext, channelIds: readonly string[]): Promise<number[]> {
  const rows = await database.query
    .selectFrom("castellan.channel_snapshots")
    .select("channel_json")
    .where("channel_id", "in", [...channelIds])
    .execute();
  const staffs = rows.map(({ channel_json }) => {
    // Written by Castellan, after validation by the contract.
    return staffOf(JSON.parse(channel_json) as Parameters<typeof staffOf>[0]);
  });
  const [first = [], ...others] = staffs;
  return [botFid, ...first.filter((fid) => others.every((staff) => staff.includes(fid)))];
}

/** Users in these listings, newest first. */
async function findListed(
  query: Queryable,
  listings: readonly ListingName[],
  channelIds: readonly string[],
  begins: string,
): Promise<number[]> {
  const rows = await query
    .selectFrom("castellan.listing_entries as entry")
    .select("entry.fid")
    .where("entry.channel_id", "in", [...channelIds])
    .where("entry.listing", "in", [...listings])
    .where(beginsLike("entry.fid", begins))
    .orderBy("entry.listing")
    .orderBy("entry.at", "desc")
    .limit(discordLimits.choices + 10)
    .execute();
  return rows.map(({ fid }) => fid);
}

/** The user with exactly that name, then recently active users, then everybody else, without those who are excluded. */
async function findPossible(query: Queryable, asked: Asked, begins: string): Promise<number[]> {
  const { purpose, channelIds } = asked;
  const without = impossible[purpose] ?? [];
  const isPossible = (fid: "held.fid" | "recent.fid") =>
    sql<boolean>`(
      select count(distinct channel_id) from castellan.listing_entries as listed
      where listed.fid = ${sql.ref(fid)} and listed.listing = any(${[...without]}::text[])
        and listed.channel_id = any(${[...channelIds]}::text[])
    ) < ${channelIds.length}`;
  const exact = query
    .selectFrom("castellan.names as held")
    .select("held.fid")
    .where((is) =>
      is.or([is("held.name", "=", begins), ...wholeFid(begins).map((fid) => is("held.fid", "=", fid))]),
    )
    .where(isPossible("held.fid"))
    .execute();
  const recent = query
    .selectFrom((purpose === "case" ? latestCases(query, asked) : latestCasts(query, asked)).as("recent"))
    .select("recent.fid")
    .where(isPossible("recent.fid"))
    .where(beginsLike("recent.fid", begins))
    .groupBy("recent.fid")
    .orderBy((row) => row.fn.max("recent.place"), "desc")
    .limit(discordLimits.choices)
    .execute();
  const others = query
    .selectFrom("castellan.names as held")
    .select("held.fid")
    .where(inRange("held.name", begins))
    .where(isPossible("held.fid"))
    .orderBy(sql`held.name using ~<~`)
    .limit(discordLimits.choices)
    .execute();
  const known = await Promise.all([exact, recent, others]);
  return known.flat().map(({ fid }) => fid);
}

function latestCasts(query: Queryable, { channelIds }: Asked) {
  const inEach = query
    .selectFrom("castellan.casts")
    .select(["fid", "cast_at as place"])
    .where(sql<boolean>`channel_id = channel.id`)
    .orderBy("cast_at", "desc");
  return newestAmong(channelIds, inEach.limit(newestOfEach(channelIds)));
}

function latestCases(query: Queryable, { guildId, channelIds }: Asked) {
  const inEach = query
    .selectFrom("castellan.cases")
    .select(["subject_fid as fid", "number as place"])
    .where("guild_id", "=", guildId)
    .where(sql<boolean>`channel_id = channel.id`)
    .where("subject_fid", "is not", null)
    .orderBy("number", "desc");
  return newestAmong(channelIds, inEach.limit(newestOfEach(channelIds)));
}

/** The newest of what each channel has. */
function newestAmong(channelIds: readonly string[], inEach: Expression<unknown>) {
  return sql<{ fid: number; place: number }>`(
    select newest.* from ${eachChannel(channelIds)} cross join lateral ${inEach} as newest
    order by newest.place desc limit ${newestSearched}
  )`;
}

function wholeFid(typed: string): number[] {
  return /^[0-9]{1,15}$/.test(typed) ? [Number(typed)] : [];
}

/** Whether a user holds a name, or has a fid, that begins with the typed text. */
export function beginsLike(fid: "entry.fid" | "recent.fid", begins: string) {
  if (begins === "") return sql<boolean>`true`;
  const ref = sql.ref(fid);
  return sql<boolean>`(
    starts_with(${ref}::text, ${begins})
    or ${ref} in (select held.fid from castellan.names as held where ${inRange("held.name", begins)})
  )`;
}

/**
 * Names that begin with the typed text, using the index on their letters: written as a range, because a prepared statement
 * cannot know that a pattern begins with letters.
 */
export function inRange(name: "held.name", begins: string) {
  const ref = sql.ref(name);
  return sql<boolean>`(${ref} ~>=~ ${begins} and ${ref} ~<~ ${`${begins}\u{10ffff}`})`;
}
