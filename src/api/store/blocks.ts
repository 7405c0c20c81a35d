import { sql } from "kysely";
import { compileOnce, type Placeholders } from "../../database/compile-once.ts";

/** Starts a block; one that is there keeps its time. Its counter is the last lock of a transaction, as the hub's is. */
export const addBlock = compileOnce(
  (_db, { blocker, blocked, now }: Placeholders<{ blocker: number; blocked: number; now: number }>) => sql`
    with head as (
      update network.stream_heads set last_id = last_id + 1 where stream = 'blocks' returning last_id
    )
    insert into network.blocks (id, blocker_fid, blocked_fid, created_at)
    select last_id, ${blocker}::bigint, ${blocked}::bigint,
      greatest(${now}::bigint, (select max(created_at) from network.blocks))
    from head
    on conflict (blocker_fid, blocked_fid) do nothing`,
);
