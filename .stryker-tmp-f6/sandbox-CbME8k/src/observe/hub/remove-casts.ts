// @ts-nocheck
import { sql } from "kysely";
import type { Tx } from "../../database/database.ts";
import type { ArrivedRemoval } from "./read-page.ts";

export interface RemovedCast {
  arrived: ArrivedRemoval;
  channelId: string;
  fid: number;
}

/** Marks casts of the index as removed, once each; a reply that still waits for its parent is forgotten. */
export async function removeCasts(tx: Tx, removals: readonly ArrivedRemoval[]): Promise<RemovedCast[]> {
  const byHash = new Map(removals.map((removal) => [removal.hash, removal]));
  if (byHash.size === 0) return [];
  const hashes = [...byHash.keys()];
  const times = [...byHash.values()].map((removal) => removal.mergedAt);
  await sql`delete from castellan.waiting_replies where hash = any(${hashes}::text[])`.execute(tx);
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
