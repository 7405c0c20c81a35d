import { sql } from "kysely";
import type { BotContext } from "../../bot-context.ts";
import { gapEvent, recordGap } from "./gaps.ts";
import { hasPast } from "./read-past.ts";

/** Seconds by which a parent may be merged after a reply to it, or by another clock. */
const patience = 600;
/** Of so many that wait, the older half is dropped. */
const mostWaiting = 50_000;

/**
 * Drops replies whose parent is in no linked channel: every followed shard has told of what was merged long after them, and
 * nothing is asked for any more. `sources`: the shards'. Of too many, which a shard that is away leaves, the oldest are dropped
 * unplaced; that is told as a gap.
 */
export async function dropWaitingReplies(context: BotContext, sources: readonly string[]): Promise<void> {
  const { database } = context;
  const { rows } = await sql<{ oldest: number | null; crowded: boolean }>`
    select min(merged_at) as oldest,
      exists (select from castellan.waiting_replies offset ${mostWaiting}) as crowded
    from castellan.waiting_replies
  `.execute(database.query);
  const { oldest = null, crowded = false } = rows[0] ?? {};
  if (oldest === null) return;
  const readUntil = await findReadUntil(context, sources);
  if (readUntil !== undefined && oldest < readUntil - patience && !(await hasPast(context))) {
    await database.query
      .deleteFrom("castellan.waiting_replies")
      .where("merged_at", "<", readUntil - patience)
      .execute();
  } else if (crowded) {
    await dropSurplus(context);
  }
}

/** UNIX seconds until which every shard was read; undefined where one never was. */
async function findReadUntil(
  { database }: BotContext,
  sources: readonly string[],
): Promise<number | undefined> {
  const { rows } = await sql<{ until: number | null }>`
    select case
      -- Blocks follow each other closely, so the last one says how far a shard was read.
      when block_left is not null or behind then newest_at
      else good_at_ms / 1000 end as until
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
          select merged_at from castellan.waiting_replies order by merged_at desc offset ${mostWaiting / 2} limit 1)
        returning merged_at
      )
      select count(*)::int as dropped, min(merged_at) as from, max(merged_at) as until from dropped
    `.execute(tx);
    const [cut] = rows;
    if (!cut || cut.dropped === 0) return;
    const { dropped, from, until } = cut;
    context.log.warn(
      { dropped, from, until },
      "too many replies wait for their parent: the oldest are dropped",
    );
    const gap = await recordGap(tx, "replies", { from, until }, nowMs);
    if (gap) await context.appendEvents(tx, [gapEvent("replies", `${from}:${until}`, gap, nowMs)]);
  });
}
