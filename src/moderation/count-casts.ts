import { sql } from "kysely";
import type { Queryable } from "../database/database.ts";
import { everApplied, literals } from "../database/tables/case-states.ts";

/** Somebody's casts in a channel that Castellan has seen. */
export interface CastCounts {
  seen: number;
  /** Casts that were hidden individually. */
  hidden: number;
  /** Replies that are hidden only because their author is banned. */
  hiddenByBan: number;
}

/** How many casts of a user were seen in each channel, and how many of them are hidden. */
export async function countCastsIn(
  query: Queryable,
  channelIds: readonly string[],
  fid: number,
): Promise<Map<string, CastCounts>> {
  const { rows } = await sql<CastCounts & { channelId: string }>`
    select channel_id as "channelId", count(*) as seen, count(*) filter (where hidden) as hidden,
      case when exists (select from castellan.banned_users as banned
          where banned.channel_id = casts.channel_id and banned.fid = ${fid})
        then count(*) filter (where not hidden and parent_hash is not null and removed_at is null) else 0 end as "hiddenByBan"
    from castellan.casts where fid = ${fid} and channel_id = any(${[...channelIds]}::text[])
    group by channel_id
  `.execute(query);
  return new Map(rows.map(({ channelId, ...counts }) => [channelId, counts]));
}

export async function countCasts(query: Queryable, channelId: string, fid: number): Promise<CastCounts> {
  const counts = await countCastsIn(query, [channelId], fid);
  return counts.get(channelId) ?? { seen: 0, hidden: 0, hiddenByBan: 0 };
}

/** The hashes of these casts that are hidden because their author is banned. */
export async function findHiddenByBan(query: Queryable, hashes: readonly string[]): Promise<Set<string>> {
  if (hashes.length === 0) return new Set();
  const { rows } = await sql<{ hash: string }>`
    select hash from castellan.casts where hash = any(${[...hashes]}::text[])
      and not hidden and parent_hash is not null and exists (
        select from castellan.banned_users as banned where banned.channel_id = casts.channel_id and banned.fid = casts.fid)
  `.execute(query);
  return new Set(rows.map(({ hash }) => hash));
}

/**
 * Whether each of these casts is hidden by our newest case whose effect the network has not shown yet: the casts of all
 * others are as they are stored.
 */
export async function findAwaitedHides(
  query: Queryable,
  hashes: readonly string[],
): Promise<Map<string, boolean>> {
  if (hashes.length === 0) return new Map();
  const { rows } = await sql<{ hash: string; hidden: boolean }>`
    select distinct on (target_cast) target_cast as hash, kind = 'hide' as hidden from castellan.cases
    where target_cast = any(${[...hashes]}::text[]) and kind in ('hide', 'unhide') and echo = 'expected'
      and state in (${literals(everApplied)})
    order by target_cast, id desc
  `.execute(query);
  return new Map(rows.map(({ hash, hidden }) => [hash, hidden]));
}
