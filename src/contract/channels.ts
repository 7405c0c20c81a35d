import { z } from "zod";
import { endpoint } from "./endpoint.ts";
import { CastHash, ChannelId, Fid, FidText, Seconds, Success, usualPaging } from "./values.ts";

/** interface.md, "Channel". */
export const Channel = z.object({
  id: ChannelId,
  url: z.string(),
  name: z.string(),
  description: z.string().optional(),
  descriptionMentions: z.array(Fid),
  descriptionMentionsPositions: z.array(z.int().min(0)),
  imageUrl: z.string(),
  headerImageUrl: z.string().optional(),
  leadFid: Fid.optional(),
  moderatorFids: z.array(Fid),
  createdAt: Seconds,
  followerCount: z.int().min(0),
  memberCount: z.int().min(0),
  pinnedCastHash: CastHash.optional(),
  publicCasting: z.boolean(),
  externalLink: z.object({ title: z.string(), url: z.string() }).optional(),
});
export type Channel = z.infer<typeof Channel>;

export const FollowedChannel = Channel.extend({ moderatorFid: Fid.optional(), followedAt: Seconds });
export type FollowedChannel = z.infer<typeof FollowedChannel>;

export const ChannelFollower = z.object({ fid: Fid, followedAt: Seconds });
export type ChannelFollower = z.infer<typeof ChannelFollower>;

export const channels = {
  all: endpoint({
    method: "GET",
    path: "/v2/all-channels",
    tagged: true,
    summary: "Every channel, by creation time",
    result: z.object({ channels: z.array(Channel) }),
  }),
  get: endpoint({
    method: "GET",
    path: "/v1/channel",
    refusals: ["not_found"],
    summary: "One channel",
    input: z.object({ channelId: ChannelId }),
    result: z.object({ channel: Channel }),
  }),
  followers: endpoint({
    method: "GET",
    path: "/v1/channel-followers",
    refusals: ["not_found"],
    paginated: usualPaging,
    summary: "Users that follow a channel, newest first",
    input: z.object({ channelId: ChannelId }),
    result: z.object({ users: z.array(ChannelFollower) }),
  }),
};

export const channelFollows = {
  ofUser: endpoint({
    method: "GET",
    path: "/v1/user-following-channels",
    paginated: usualPaging,
    summary: "Channels that a user follows, newest first",
    input: z.object({ fid: FidText }),
    result: z.object({ channels: z.array(FollowedChannel) }),
  }),
  status: endpoint({
    method: "GET",
    path: "/v1/user-channel",
    refusals: ["not_found"],
    summary: "Whether a user follows a channel, and since when",
    input: z.object({ fid: FidText, channelId: ChannelId }),
    result: z.object({ following: z.boolean(), followedAt: Seconds.optional() }),
  }),
  follow: endpoint({
    method: "POST",
    path: "/fc/channel-follows",
    refusals: ["not_found"],
    auth: "app_key",
    summary: "Follow a channel",
    input: z.object({ channelId: ChannelId }),
    result: Success,
  }),
  unfollow: endpoint({
    method: "DELETE",
    path: "/fc/channel-follows",
    refusals: ["not_found"],
    auth: "app_key",
    summary: "Unfollow a channel",
    input: z.object({ channelId: ChannelId }),
    result: Success,
  }),
};
