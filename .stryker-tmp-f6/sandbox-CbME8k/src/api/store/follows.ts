// @ts-nocheck
import type { Queryable, Tx } from "../../database/database.ts";

/** Since when a user follows a channel, in UNIX seconds. */
export async function readFollow(db: Queryable, channelId: string, fid: number): Promise<number | undefined> {
  const row = await db
    .selectFrom("network.channel_follows")
    .select("followed_at")
    .where("channel_id", "=", channelId)
    .where("fid", "=", fid)
    .executeTakeFirst();
  return row?.followed_at;
}

/** Starts a follow in a channel whose row the transaction holds; one that is there keeps its time. */
export async function addFollow(tx: Tx, channelId: string, fid: number, now: number): Promise<void> {
  const added = await tx
    .insertInto("network.channel_follows")
    .values({ channel_id: channelId, fid, followed_at: now })
    .onConflict((conflict) => conflict.columns(["channel_id", "fid"]).doNothing())
    .executeTakeFirst();
  if (added.numInsertedOrUpdatedRows) await countFollowers(tx, channelId, "+");
}

/** Ends a follow in a channel whose row the transaction holds. */
export async function removeFollow(tx: Tx, channelId: string, fid: number): Promise<void> {
  const removed = await tx
    .deleteFrom("network.channel_follows")
    .where("channel_id", "=", channelId)
    .where("fid", "=", fid)
    .executeTakeFirst();
  if (removed.numDeletedRows) await countFollowers(tx, channelId, "-");
}

async function countFollowers(tx: Tx, channelId: string, sign: "+" | "-"): Promise<void> {
  await tx
    .updateTable("network.channels")
    .set((eb) => ({ follower_count: eb("follower_count", sign, 1) }))
    .where("id", "=", channelId)
    .execute();
}
