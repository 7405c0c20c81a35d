import { sql } from "kysely";
import type { Tx } from "../../database/database.ts";

/** By fid: when its user last asked to be erased, in UNIX milliseconds. */
export type Erasures = ReadonlyMap<number, number>;

export async function findErasures(tx: Tx, fids: readonly number[]): Promise<Erasures> {
  if (fids.length === 0) return new Map();
  const { rows } = await sql<{ fid: number; at: number }>`
    select fid, max(requested_at_ms) as at from castellan.erasures
    where fid = any(${[...new Set(fids)]}::bigint[]) group by fid
  `.execute(tx);
  return new Map(rows.map(({ fid, at }) => [fid, at]));
}

/**
 * Whether what a user wrote in this second is from before they asked to be erased. The hub tells of it again when its ids begin
 * anew, a shard is late, or it is asked for what was: it stays erased.
 */
export function isErased(erasures: Erasures, fid: number, writtenAt: number): boolean {
  const at = erasures.get(fid);
  return at !== undefined && writtenAt < Math.floor(at / 1000);
}
