import { sql } from "kysely";
import type { Tx } from "../../database/database.ts";
import { newEvent, type NewChannelEvent } from "../events.ts";
import type { ArrivedRemoval } from "./parse-events.ts";
import { removeWaitingReplies } from "./waiting-replies.ts";

/** How long a response with requested casts can be in flight, or the node that sent it can lag. */
const storedForSeconds = 600;

/**
 * Stores recent removals of casts, whether indexed or not. Runs before everything else of a page: it waits for casts that
 * are being indexed, and afterwards indexing waits for nothing in this page. `now`: UNIX seconds.
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

/** Until the commit, no removal is missed: earlier ones are stored here, and later ones find the index written. */
export async function lockRemovals(tx: Tx): Promise<void> {
  await sql`lock table castellan.recent_removals in share row exclusive mode`.execute(tx);
}

export interface RemovedCast {
  arrived: ArrivedRemoval;
  channelId: string;
  fid: number;
}

/** Marks indexed casts as removed, once each. Removing a reply that still waits for its parent is not an event. */
export async function removeCasts(tx: Tx, removals: readonly ArrivedRemoval[]): Promise<RemovedCast[]> {
  const byHash = new Map(removals.map((removal) => [removal.hash, removal]));
  if (byHash.size === 0) return [];
  const hashes = [...byHash.keys()];
  const times = [...byHash.values()].map((removal) => removal.mergedAt);
  await removeWaitingReplies(tx, [...byHash.values()]);
  const { rows } = await sql<{ hash: string; channel_id: string; fid: number }>`
    update castellan.casts set removed_at = removal.at
    from unnest(${hashes}::text[], ${times}::bigint[]) as removal (hash, at)
    where casts.hash = removal.hash and casts.removed_at is null
    returning casts.hash, casts.channel_id, casts.fid
  `.execute(tx);
  const removed = new Map(rows.map((row) => [row.hash, row]));
  return [...byHash.values()].flatMap((arrived) => {
    const row = removed.get(arrived.hash);
    return row ? [{ arrived, channelId: row.channel_id, fid: row.fid }] : [];
  });
}

export function removalEvent({ arrived, channelId, fid }: RemovedCast, observedAt: number): NewChannelEvent {
  return newEvent(observedAt, {
    kind: "cast.removed",
    sourceKey: `removal:${arrived.hash}`,
    channelId,
    subjectFid: fid,
    occurredAt: arrived.mergedAt,
    data: { castHash: arrived.hash },
  });
}
