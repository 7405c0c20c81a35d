import { sql } from "kysely";
import type { Tx } from "../../database/database.ts";
import { admitInviteCall, inviteCallWindow } from "../domain/call-limit.ts";
import type { ReadScope } from "../operation.ts";
import { lockChannel } from "../store/channels.ts";

/**
 * Counts a call on an existing channel, whatever its result, in a separate transaction. Throws `not_found`, or
 * `rate_limited` for the 101st call within an hour, which is not counted.
 */
export async function countInviteCall(
  { context: { database, clock }, caller }: Pick<ReadScope, "context" | "caller">,
  { channelId }: { channelId: string },
): Promise<void> {
  await database.transaction(async (tx) => {
    // The channel's lock makes reading and counting atomic; two simultaneous callers cannot both be the hundredth.
    await lockChannel(tx, channelId);
    const now = clock.now();
    admitInviteCall(await readInviteCalls(tx, channelId, caller, now), now);
    await addInviteCall(tx, channelId, caller, now);
  });
}

/** Maximum difference between the clocks of processes that share the database, in milliseconds. */
const tolerance = 5_000;

/** Times of the calls in the window that ends now, oldest first, in milliseconds. */
async function readInviteCalls(tx: Tx, channelId: string, caller: number, now: number): Promise<number[]> {
  const rows = await tx
    .selectFrom("network.invite_calls")
    .select("at_ms")
    .where("channel_id", "=", channelId)
    .where("caller_fid", "=", caller)
    .where("at_ms", ">", now - inviteCallWindow)
    // Calls from a clock that was ahead and has since been corrected would count for too long.
    .where("at_ms", "<=", now + tolerance)
    .orderBy("at_ms")
    .execute();
  return rows.map((row) => row.at_ms);
}

/** Counts a call and deletes a few expired ones of any caller, so that the table stays small. */
async function addInviteCall(tx: Tx, channelId: string, caller: number, now: number): Promise<void> {
  await sql`
    with expired as (
      select id from network.invite_calls where at_ms <= ${now - inviteCallWindow}
      order by at_ms limit 50 for update skip locked
    ), pruned as (
      delete from network.invite_calls where id in (select id from expired)
    )
    insert into network.invite_calls (channel_id, caller_fid, at_ms) values (${channelId}, ${caller}, ${now})
  `.execute(tx);
}
