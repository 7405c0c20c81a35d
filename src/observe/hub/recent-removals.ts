import { sql } from "kysely";
import type { Tx } from "../../database/database.ts";
import type { ArrivedRemoval } from "./parse-events.ts";

/** For so many seconds: an answer with casts that were asked for may be under way, or of a node that is behind. */
const remembered = 600;

/**
 * Remembers what was removed lately, in the index or not. Before anything else of a page is stored: it waits for casts that are
 * being indexed, which wait for nothing of the page then. `now`: UNIX seconds.
 */
export async function rememberRemovals(
  tx: Tx,
  removals: readonly ArrivedRemoval[],
  now: number,
): Promise<void> {
  const recent = removals.filter(({ mergedAt }) => mergedAt >= now - remembered);
  if (recent.length === 0) return;
  const rows = recent.map(({ hash, mergedAt }) => ({ hash, removed_at: mergedAt }));
  await sql`
    with old as (delete from castellan.recent_removals where removed_at < ${now - remembered})
    insert into castellan.recent_removals
    select * from jsonb_populate_recordset(null::castellan.recent_removals, ${JSON.stringify(rows)}::text::jsonb)
    order by hash on conflict do nothing
  `.execute(tx);
}

/** Until the commit nothing is removed unseen: what was just before is remembered, and what is later finds the index written. */
export async function lockRemovals(tx: Tx): Promise<void> {
  await sql`lock table castellan.recent_removals in share row exclusive mode`.execute(tx);
}
