import { sql } from "kysely";
import type { BotContext } from "../../bot-context.ts";
import { gapEvent, recordGap } from "./gaps.ts";
import { hasParentsToRead } from "./read-casts-by-parent.ts";

/** How much later than a reply its parent may be merged, including differences between clocks. */
const lateParentSeconds = 600;
/** If more replies wait, the older half is dropped. */
const maxWaiting = 50_000;

/**
 * Drops replies whose parent is in no linked channel: every followed shard was read far past them, and nothing is left to
 * request. `sources`: the shards' sources. While a shard is down, too many may wait. Then the oldest are dropped unplaced,
 * and a gap is reported.
 */
export async function dropWaitingReplies(context: BotContext, sources: readonly string[]): Promise<void> {
  const { database } = context;
  const { rows } = await sql<{ oldest: number | null; crowded: boolean }>`
    select min(merged_at) as oldest,
      exists (select from castellan.waiting_replies offset ${maxWaiting}) as crowded
    from castellan.waiting_replies
  `.execute(database.query);
  const { oldest = null, crowded = false } = rows[0] ?? {};
  if (oldest === null) return;
  const readUntil = await findReadUntil(context, sources);
  if (
    readUntil !== undefined &&
    oldest < readUntil - lateParentSeconds &&
    !(await hasParentsToRead(context))
  ) {
    await database.query
      .deleteFrom("castellan.waiting_replies")
      .where("merged_at", "<", readUntil - lateParentSeconds)
      .execute();
  } else if (crowded) {
    await dropSurplus(context);
  }
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
    const gap = await recordGap(tx, "replies", { from, until }, nowMs);
    if (gap) await context.appendEvents(tx, [gapEvent("replies", `${from}:${until}`, gap, nowMs)]);
  });
}
