// @ts-nocheck
import { seconds } from "../../clock.ts";
import { channelFollows, type Channel, type FollowedChannel } from "../../contract/channels.ts";
import type { Contract } from "../../contract/index.ts";
import { read, write, type Operations } from "../operation.ts";
import { lockChannel, requireChannel, selectChannels } from "../store/channels.ts";
import { addFollow, readFollow, removeFollow } from "../store/follows.ts";
import { readPage } from "../store/paging.ts";

export const channelFollowsOperations: Operations<Contract>["channelFollows"] = {
  ofUser: read(channelFollows.ofUser, async ({ db }, { fid, ...page }) => {
    const followed = selectChannels(db)
      .innerJoin("network.channel_follows as follows", "follows.channel_id", "channels.id")
      .select("follows.followed_at")
      .where("follows.fid", "=", fid);
    const { rows, next } = await readPage(followed, {
      listing: [channelFollows.ofUser.path, fid],
      order: ["follows.followed_at", "follows.id"],
      ...page,
    });
    return { result: { channels: rows.map(toFollowedChannel) }, ...next };
  }),

  status: read(channelFollows.status, async ({ db }, { fid, channelId }) => {
    const followedAt = await readFollow(db, channelId, fid);
    if (followedAt !== undefined) return { following: true, followedAt };
    await requireChannel(db, channelId);
    return { following: false };
  }),

  follow: write(channelFollows.follow, async ({ context, db, caller }, { channelId }) => {
    await lockChannel(db, channelId);
    await addFollow(db, channelId, caller, seconds(context.clock));
    return { success: true };
  }),

  unfollow: write(channelFollows.unfollow, async ({ db, caller }, { channelId }) => {
    await lockChannel(db, channelId);
    await removeFollow(db, channelId, caller);
    return { success: true };
  }),
};

/** Only this listing carries `moderatorFid`: the moderator of longest standing. */
function toFollowedChannel(row: { channel: Channel; followed_at: number }): FollowedChannel {
  const [moderatorFid] = row.channel.moderatorFids;
  return {
    ...row.channel,
    ...(moderatorFid !== undefined && { moderatorFid }),
    followedAt: row.followed_at,
  };
}
