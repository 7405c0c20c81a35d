import { sql } from "kysely";
import type { Tx } from "../../database/database.ts";

/** Starts a block; an existing one keeps its time. Its counter is the last lock of a transaction, like the hub's. */
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
