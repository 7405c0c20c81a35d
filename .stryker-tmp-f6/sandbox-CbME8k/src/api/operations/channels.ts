// @ts-nocheck
import { channels } from "../../contract/channels.ts";
import type { Contract } from "../../contract/index.ts";
import type { ApiContext } from "../context.ts";
import { keptWith } from "../kept/kept-answer.ts";
import { read, readText, type Operations } from "../operation.ts";
import { createChannelDirectory } from "../kept/channel-directory.ts";
import { readChannel, readChannelsText } from "../store/channels.ts";
import { readChannelPage } from "../store/paging.ts";

const directories = new WeakMap<ApiContext, ReturnType<typeof createChannelDirectory>>();

export const channelsOperations: Operations<Contract>["channels"] = {
  all: readText(
    channels.all,
    async ({ db }) => `{"channels":${await readChannelsText(db)}}`,
    ({ context }) => keptWith(context, directories, createChannelDirectory)(),
  ),

  get: read(channels.get, async ({ db }, { channelId }) => ({ channel: await readChannel(db, channelId) })),

  followers: read(channels.followers, async ({ db }, { channelId, ...page }) => {
    const follows = db
      .selectFrom("network.channel_follows")
      .select(["fid", "followed_at as followedAt"])
      .where("channel_id", "=", channelId);
    const { rows, next } = await readChannelPage(db, channelId, follows, {
      listing: [channels.followers.path, channelId],
      order: ["followed_at", "id"],
      ...page,
    });
    return { result: { users: rows }, ...next };
  }),
};
