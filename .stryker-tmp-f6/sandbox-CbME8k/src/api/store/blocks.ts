// @ts-nocheck
import { sql } from "kysely";
import type { Queryable, Tx } from "../../database/database.ts";
import type { Addressed } from "../domain/cast-marks.ts";

/** Starts a block; one that is there keeps its time. Its counter is the last lock of a transaction, as the hub's is. */
export async function addBlock(tx: Tx, blocker: number, blocked: number, now: number): Promise<void> {
  await sql`
    with head as (
      update network.stream_heads set last_id = last_id + 1 where stream = 'blocks' returning last_id
    )
    insert into network.blocks (id, blocker_fid, blocked_fid, created_at)
    select last_id, ${blocker}::bigint, ${blocked}::bigint,
      greatest(${now}::bigint, (select max(created_at) from network.blocks))
    from head
    on conflict (blocker_fid, blocked_fid) do nothing
  `.execute(tx);
}

export async function removeBlock(tx: Tx, blocker: number, blocked: number): Promise<void> {
  await tx
    .deleteFrom("network.blocks")
    .where("blocker_fid", "=", blocker)
    .where("blocked_fid", "=", blocked)
    .execute();
}

/** Whether one of those whom the user addresses blocks the user. */
export async function isBlocked(db: Queryable, fid: number, { fids, quoted }: Addressed): Promise<boolean> {
  if (fids.length === 0 && quoted.length === 0) return false;
  const { rows } = await sql<{ blocked: boolean }>`
    select exists (
      select from network.blocks
      where blocked_fid = ${fid} and (
        blocker_fid = any(${fids}::bigint[])
        or blocker_fid in (select casts.fid from network.casts where hash = any(${quoted}::text[]))
      )
    ) as blocked
  `.execute(db);
  return rows[0]?.blocked ?? false;
}
