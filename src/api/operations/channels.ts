import { seconds } from "../../clock.ts";
import { channelFollows, channels, type Channel, type FollowedChannel } from "../../contract/channels.ts";
import type { Tx } from "../../database/database.ts";
import { implement, read, readText, write } from "../operation.ts";
import {
  lockChannel,
  readAllChannelTexts,
  readChannelText,
  readFollow,
  requireChannel,
  selectChannels,
} from "../store/channels.ts";
import { channelListing, listing } from "../store/paging.ts";

export const channelsOperations = implement(channels, {
  all: readText(async ({ db }) => `{"channels":[${await readAllChannelTexts(db)}]}`),

  get: readText(async ({ db }, { channelId }) => `{"channel":${await readChannelText(db, channelId)}}`),

  followers: read(async ({ db }, { channelId, ...page }) => {
    const { rows, next } = await listFollowers(db, { channelId }, page);
    return { result: { users: rows }, ...next };
  }),
});

export const channelFollowsOperations = implement(channelFollows, {
  ofUser: read(async ({ db }, { fid, ...page }) => {
    const { rows, next } = await listFollowed(db, { fid }, page);
    return { result: { channels: rows.map(toFollowedChannel) }, ...next };
  }),

  status: read(async ({ db }, { fid, channelId }) => {
    const followedAt = await readFollow(db, channelId, fid);
    if (followedAt !== undefined) return { following: true, followedAt };
    await requireChannel(db, channelId);
    return { following: false };
  }),

  follow: write(async ({ context, db, caller }, { channelId }) => {
    await lockChannel(db, channelId);
    await addFollow(db, channelId, caller, seconds(context.clock));
    return { success: true };
  }),

  unfollow: write(async ({ db, caller }, { channelId }) => {
    await lockChannel(db, channelId);
    await removeFollow(db, channelId, caller);
    return { success: true };
  }),
});

const listFollowers = channelListing({
  path: channels.followers.path,
  order: ["followed_at", "id"],
  select: (db, { channelId }: { channelId: string }) =>
    db
      .selectFrom("network.channel_follows")
      .select(["fid", "followed_at as followedAt"])
      .where("channel_id", "=", channelId),
});

const listFollowed = listing({
  path: channelFollows.ofUser.path,
  order: ["follows.followed_at", "follows.id"],
  select: (db, { fid }: { fid: number }) =>
    selectChannels(db)
      .innerJoin("network.channel_follows as follows", "follows.channel_id", "channels.id")
      .select("follows.followed_at")
      .where("follows.fid", "=", fid),
});

/** Only this listing has `moderatorFid`: the longest-serving moderator. */
function toFollowedChannel(row: { channel: Channel; followed_at: number }): FollowedChannel {
  const [moderatorFid] = row.channel.moderatorFids;
  return {
    ...row.channel,
    ...(moderatorFid !== undefined && { moderatorFid }),
    followedAt: row.followed_at,
  };
}

/** Starts a follow in a channel that the transaction has locked; an existing follow keeps its time. */
async function addFollow(tx: Tx, channelId: string, fid: number, now: number): Promise<void> {
  const added = await tx
    .insertInto("network.channel_follows")
    .values({ channel_id: channelId, fid, followed_at: now })
    .onConflict((conflict) => conflict.columns(["channel_id", "fid"]).doNothing())
    .executeTakeFirst();
  if (added.numInsertedOrUpdatedRows) await countFollowers(tx, channelId, "+");
}

/** Ends a follow in a channel that the transaction has locked. */
async function removeFollow(tx: Tx, channelId: string, fid: number): Promise<void> {
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
