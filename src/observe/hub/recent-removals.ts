import { sql } from "kysely";
import type { Tx } from "../../database/database.ts";
import type { ArrivedRemoval } from "./parse-events.ts";

/** An answer with requested casts may be in flight for so long, or come from a node that lags so far. */
const storedForSeconds = 600;

/**
 * Stores which casts were removed recently, in the index or not. It comes before anything else of a page: it waits for casts that
 * are being indexed, and those then wait for nothing of this page. `now`: UNIX seconds.
 */
export async function rememberRemovals(
  tx: Tx,
  removals: readonly ArrivedRemoval[],
  now: number,
): Promise<void> {
  const recent = removals.filter(({ mergedAt }) => mergedAt >= now - storedForSeconds);
  if (recent.length === 0) return;
  const rows = recent.map(({ hash, mergedAt }) => ({ hash, removed_at: mergedAt }));
  await sql`
    with old as (delete from castellan.recent_removals where removed_at < ${now - storedForSeconds})
    insert into castellan.recent_removals
    select * from jsonb_populate_recordset(null::castellan.recent_removals, ${JSON.stringify(rows)}::text::jsonb)
    order by hash on conflict do nothing
  `.execute(tx);
}

/** Until the commit, no removal goes unseen: earlier ones are stored here, and later ones find the index written. */
export async function lockRemovals(tx: Tx): Promise<void> {
  await sql`lock table castellan.recent_removals in share row exclusive mode`.execute(tx);
}
