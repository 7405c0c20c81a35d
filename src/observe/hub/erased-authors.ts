import { sql } from "kysely";
import type { Tx } from "../../database/database.ts";

/** By fid: when this author last asked to be erased, in UNIX milliseconds. */
export type ErasedAuthors = ReadonlyMap<number, number>;

export async function findErasedAuthors(tx: Tx, fids: readonly number[]): Promise<ErasedAuthors> {
  if (fids.length === 0) return new Map();
  const { rows } = await sql<{ fid: number; at: number }>`
    select fid, max(requested_at_ms) as at from castellan.erasures
    where fid = any(${[...new Set(fids)]}::bigint[]) group by fid
  `.execute(tx);
  return new Map(rows.map(({ fid, at }) => [fid, at]));
}

/**
 * Whether an author wrote this before they asked to be erased. The hub returns it again when it was reset, when a shard is
 * late, or when older casts are requested. It stays erased.
 */
export function isErased(erased: ErasedAuthors, fid: number, writtenAt: number): boolean {
  const at = erased.get(fid);
  return at !== undefined && writtenAt < Math.floor(at / 1000);
}
