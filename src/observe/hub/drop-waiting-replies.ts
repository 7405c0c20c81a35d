import { sql } from "kysely";
import type { BotContext } from "../../bot-context.ts";
import { gapEvent, recordDroppedReplies } from "./gaps.ts";
import { isPastLeft } from "./read-casts-by-parent.ts";
import { isParentWanted, wantParentsKnownSince } from "./waiting-replies.ts";

/** How much later than a reply its parent may be merged, including differences between clocks. */
const lateParentSeconds = 600;
/** How long a reply waits for a parent that may be among the past casts, while those are being read. */
const pastParentSeconds = 3600;
/** If more replies wait, the older half is dropped. */
const maxWaiting = 50_000;
const isCrowded = sql<boolean>`exists (select from castellan.waiting_replies offset ${maxWaiting})`;

/**
 * Drops replies whose parent is in no linked channel: every followed shard was read far past them, their parent need not
 * be requested, and it is not among the past casts. `sources`: the shards' sources. While a shard is down, or more parents
 * are wanted than can be requested, too many may wait. Then the oldest are dropped unplaced, and a gap is reported.
 */
export async function dropWaitingReplies(context: BotContext, sources: readonly string[]): Promise<void> {
  const { rows } = await sql<{ oldest: number | null; crowded: boolean }>`
    select min(merged_at) as oldest, ${isCrowded} as crowded from castellan.waiting_replies
  `.execute(context.database.query);
  const { oldest = null, crowded = false } = rows[0] ?? {};
  if (oldest === null) return;
  const readUntil = await findReadUntil(context, sources);
  const isOverdue = readUntil !== undefined && oldest < readUntil - lateParentSeconds;
  const dropped = isOverdue ? await dropForeign(context, readUntil - lateParentSeconds) : 0;
  if (crowded && (dropped === 0 || (await isStillCrowded(context)))) await dropSurplus(context);
}

async function isStillCrowded({ database }: BotContext): Promise<boolean> {
  const { crowded } = await database.query.selectNoFrom(isCrowded.as("crowded")).executeTakeFirstOrThrow();
  return crowded;
}

/** Drops replies merged before `until` (UNIX seconds) that nothing can place any more. Returns how many these were. */
async function dropForeign(context: BotContext, until: number): Promise<number> {
  const limit = (await isPastLeft(context)) ? until - pastParentSeconds : until;
  await wantParentsKnownSince(context.database.query, limit);
  const { numAffectedRows = 0n } = await sql`
    with recursive kept as (
      select reply.hash from castellan.waiting_replies as reply where ${isParentWanted}
      union select reply.hash from castellan.waiting_replies as reply join kept on reply.parent_hash = kept.hash)
    delete from castellan.waiting_replies as reply
    where merged_at < ${limit} and not exists (select from kept where kept.hash = reply.hash)
  `.execute(context.database.query);
  return Number(numAffectedRows);
}

/** UNIX seconds up to which every shard was read; undefined if any shard never was. */
async function findReadUntil(
  { database }: BotContext,
  sources: readonly string[],
): Promise<number | undefined> {
  const { rows } = await sql<{ until: number | null }>`
    select case
      -- Blocks follow each other closely, so the last one shows how far a shard was read.
      when block_left is not null or behind then newest_at
      else succeeded_at_ms / 1000 end as until
    from unnest(${[...sources]}::text[]) followed (source) left join castellan.sources using (source)
  `.execute(database.query);
  const times = rows.flatMap(({ until }) => until ?? []);
  return times.length === sources.length ? Math.min(...times) : undefined;
}

async function dropSurplus(context: BotContext): Promise<void> {
  const nowMs = context.clock.now();
  await context.database.transaction(async (tx) => {
    const { rows } = await sql<{ dropped: number; from: number; until: number }>`
      with dropped as (
        delete from castellan.waiting_replies
        where merged_at <= (
          select merged_at from castellan.waiting_replies order by merged_at desc offset ${maxWaiting / 2} limit 1)
        returning merged_at
      )
      select count(*)::int as dropped, min(merged_at) as from, max(merged_at) as until from dropped
    `.execute(tx);
    const [cut] = rows;
    if (!cut || cut.dropped === 0) return;
    const { dropped, from, until } = cut;
    context.log.warn({ dropped, from, until }, "too many replies wait for their parent: dropped the oldest");
    const gap = await recordDroppedReplies(tx, { from, until }, nowMs);
    if (gap) await context.appendEvents(tx, [gapEvent("replies", `${from}:${until}`, gap, nowMs)]);
  });
}
