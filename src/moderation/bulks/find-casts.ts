import { sql, type RawBuilder, type Selectable } from "kysely";
import type { BotContext } from "../../bot-context.ts";
import { camelCased } from "../../database/camel-case.ts";
import type { Queryable } from "../../database/database.ts";
import type { BotTables } from "../../database/tables/bot.ts";
import { selectBody } from "../../observe/cast-body.ts";
import type { CastBody } from "../../text/show-cast.ts";
import type { FileLine, ReadLine, TargetColumns } from "./file-lines.ts";
import { eachChannel } from "../each-channel.ts";
import { findAwaitedHides } from "../count-casts.ts";
import { readHash, type KnownCast } from "../find-target.ts";
import { groupBy } from "../../group-by.ts";

/** A cast to hide or show again. */
export interface CastTarget {
  hash: string;
  fid: number;
  body: CastBody;
}

/** Filters casts; all given conditions must match. */
export interface CastFilter {
  fid?: number | undefined;
  /** Without replies. */
  rootsOnly?: boolean;
  /** Contained in the text, ignoring case. */
  text?: string | undefined;
  /** Contained in the text or in an address that it embeds. */
  link?: string | undefined;
  /** UNIX seconds. */
  since?: number | undefined;
  /** Hidden casts, or visible ones. */
  hidden?: boolean | undefined;
}

export interface CastSearch extends CastFilter {
  channelId: string;
  hidden: boolean;
}

/** A `like` pattern for anything that contains the text. */
export function toLikePattern(text: string): string {
  return `%${text.replace(/[\\%_]/g, "\\$&")}%`;
}

/** Matching casts of these channels that their authors have not removed. */
export function castsThatFit(query: Queryable, channelIds: readonly string[], filter: CastFilter) {
  return castsWhere(query, inChannels(channelIds), filter);
}

/** Not `= any`, because for one channel this is an equality, and its index gives the order. */
const inChannels = (channelIds: readonly string[]) =>
  sql<boolean>`channel_id in (${sql.join([...channelIds])})`;

function castsWhere(
  query: Queryable,
  inChannel: RawBuilder<boolean>,
  { fid, rootsOnly, text, link, since, hidden }: CastFilter,
) {
  const address = toLikePattern((link ?? "").trim().replace(/^https?:\/\/(?:www\.)?/i, ""));
  return query
    .selectFrom("castellan.casts")
    .where(inChannel)
    .where("removed_at", "is", null)
    .$if(fid !== undefined, (casts) => casts.where("fid", "=", fid ?? 0))
    .$if(rootsOnly === true, (casts) => casts.where("parent_hash", "is", null))
    .$if(text !== undefined, (casts) => casts.where("text", "ilike", toLikePattern(text ?? "")))
    .$if(link !== undefined, (casts) =>
      casts.where(sql<boolean>`(text ilike ${address} or embeds::text ilike ${address})`),
    )
    .$if(since !== undefined, (casts) => casts.where("cast_at", ">=", since ?? 0))
    .$if(hidden !== undefined, (casts) => casts.where("hidden", "=", hidden ?? false));
}

/** A cast's place in a list of casts, which is newest first. */
export type CastPlace = Pick<KnownCast, "castAt" | "hash">;

/** A page of the matching casts, newest first; `before` is the last of the page before. */
export async function listCasts(
  query: Queryable,
  channelIds: readonly string[],
  filter: CastFilter,
  before: CastPlace | undefined,
  limit: number,
): Promise<KnownCast[]> {
  const page = (casts: ReturnType<typeof castsWhere>) =>
    casts
      .selectAll()
      .$if(before !== undefined, (older) =>
        older
          // For the index, which does not have the hash.
          .where("cast_at", "<=", before?.castAt ?? 0)
          .where(sql<boolean>`(cast_at, hash) < (${before?.castAt ?? 0}, ${before?.hash ?? ""})`),
      )
      .orderBy("cast_at", "desc")
      .orderBy("hash", "desc")
      .limit(limit);
  if (filter.fid !== undefined)
    return (await page(castsThatFit(query, channelIds, filter)).execute()).map(camelCased);
  const inEach = page(castsWhere(query, sql`channel_id = channel.id`, filter));
  const { rows } = await sql<Selectable<BotTables["castellan.casts"]>>`
    select listed.* from ${eachChannel(channelIds)} cross join lateral ${inEach} as listed
    order by listed.cast_at desc, listed.hash desc limit ${limit}
  `.execute(query);
  return rows.map(camelCased);
}

/** How many casts match, or match up to and including a place. Stops at `limit`. */
export async function countListed(
  query: Queryable,
  channelIds: readonly string[],
  filter: CastFilter,
  upTo: CastPlace | undefined,
  limit: number,
): Promise<number> {
  const listed = castsThatFit(query, channelIds, filter)
    .select("hash")
    .$if(upTo !== undefined, (casts) =>
      casts.where(sql<boolean>`(cast_at, hash) >= (${upTo?.castAt ?? 0}, ${upTo?.hash ?? ""})`),
    )
    .limit(limit);
  const { count } = await query
    .selectFrom(listed.as("listed"))
    .select((one) => one.fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  return count;
}

/** These casts, if they are in one of the channels and their authors have not removed them; by hash. */
export async function readCasts(
  query: Queryable,
  channelIds: readonly string[],
  hashes: readonly string[],
): Promise<Map<string, KnownCast>> {
  if (hashes.length === 0) return new Map();
  const rows = await castsThatFit(query, channelIds, {})
    .selectAll()
    .where("hash", "in", [...hashes])
    .execute();
  return new Map(rows.map((row) => [row.hash, camelCased(row)]));
}

/** The newest matching casts of a channel, and the total number. */
export async function searchCasts(
  query: Queryable,
  { channelId, ...filter }: CastSearch,
  limit: number,
): Promise<{ casts: CastTarget[]; total: number }> {
  const found = castsThatFit(query, [channelId], filter);
  const casts = await found
    .select(["hash", "fid", selectBody("castellan.casts").as("body")])
    .orderBy("cast_at", "desc")
    .limit(limit)
    .execute();
  if (casts.length < limit) return { casts, total: casts.length };
  const { total } = await found
    .select((one) => one.fn.countAll<number>().as("total"))
    .executeTakeFirstOrThrow();
  return { casts, total };
}

/** A cast and all visible replies below it, the cast first. */
export async function listThread(query: Queryable, channelId: string, hash: string): Promise<CastTarget[]> {
  const { rows } = await sql<CastTarget>`
    with recursive thread as (
      select hash, fid, ${selectBody("casts")} as body, hidden, removed_at, cast_at
      from castellan.casts where hash = ${hash}
      union all
      select reply.hash, reply.fid, ${selectBody("reply")}, reply.hidden, reply.removed_at, reply.cast_at
      from thread join castellan.casts as reply on reply.parent_hash = thread.hash
        and reply.root_hash = (select root_hash from castellan.casts where hash = ${hash})
      where reply.channel_id = ${channelId}
    )
    select hash, fid, body from thread where not hidden and removed_at is null order by hash <> ${hash}, cast_at
  `.execute(query);
  return rows;
}

/** The casts among these that are still as they were shown, in the same order. */
export async function readAgain(
  query: Queryable,
  { channelId, hidden }: Pick<CastSearch, "channelId" | "hidden">,
  hashes: readonly string[],
): Promise<CastTarget[]> {
  if (hashes.length === 0) return [];
  const awaited = await findAwaitedHides(query, hashes);
  const { rows } = await sql<CastTarget & { isHidden: boolean }>`
    select "cast".hash, fid, ${selectBody("cast")} as body, hidden as "isHidden" from unnest(${[...hashes]}::text[]) with ordinality as wanted(hash, place)
    join castellan.casts as "cast" on "cast".hash = wanted.hash
    where channel_id = ${channelId} and removed_at is null order by place
  `.execute(query);
  return rows.flatMap(({ isHidden, ...cast }) =>
    (awaited.get(cast.hash) ?? isHidden) === hidden ? [cast] : [],
  );
}

export const castColumns: TargetColumns = {
  anywhere: ["hash", "cast_hash", "cast", "written"],
  first: ["link", "url"],
};

/** The casts in these channels that a file's lines name by hash or link, and the result of each line. */
export async function readCastLines(
  { database }: Pick<BotContext, "database">,
  { channelIds, hidden }: { channelIds: readonly string[]; hidden: boolean },
  lines: readonly FileLine[],
): Promise<ReadLine<CastTarget & { channelId: string }>[]> {
  const hashes = lines.map(({ written }) => readHash(written));
  const asked = hashes.flatMap((hash, index) => (hash === undefined ? [] : [{ index, hash }]));
  const { rows } = await sql<
    CastTarget & { index: number; channel: string; isHidden: boolean; isRemoved: boolean }
  >`
    select wanted.index, "cast".hash, fid, ${selectBody("cast")} as body, channel_id as channel, hidden as "isHidden",
      removed_at is not null as "isRemoved"
    from jsonb_to_recordset(${JSON.stringify(asked)}::text::jsonb) as wanted(index integer, hash text)
    join castellan.casts as "cast" on "cast".hash between wanted.hash and rpad(wanted.hash, 42, 'f')
  `.execute(database.query);
  const awaited = await findAwaitedHides(
    database.query,
    rows.map((cast) => cast.hash),
  );
  const found = groupBy(rows, ({ index }) => index);
  return lines.map(({ number, written, others }, index) => {
    const line = { number, written };
    const [cast, another] = found.get(index) ?? [];
    const hash = hashes[index];
    if (hash === undefined) return { ...line, mistake: "not a hash or link of a cast" };
    const other = others.map((field) => readHash(field.written)).find((one) => one && !isSameHash(one, hash));
    if (other !== undefined) return { ...line, mistake: `it also names ${other}: write one cast per line` };
    if (!cast) return { ...line, mistake: "Castellan has never seen this cast" };
    if (another) return { ...line, mistake: "several casts begin with this: give the whole hash" };
    if (!channelIds.includes(cast.channel)) return { ...line, mistake: `it is in /${cast.channel}` };
    if (cast.isRemoved) return { ...line, mistake: "its author removed it" };
    if ((awaited.get(cast.hash) ?? cast.isHidden) !== hidden)
      return { ...line, mistake: hidden ? "it is not hidden" : "it is hidden already" };
    const { fid, body, channel } = cast;
    return { ...line, target: { hash: cast.hash, fid, body, channelId: channel }, key: cast.hash };
  });
}

/** Links may contain only the first digits. */
function isSameHash(one: string, other: string): boolean {
  return one.startsWith(other) || other.startsWith(one);
}
