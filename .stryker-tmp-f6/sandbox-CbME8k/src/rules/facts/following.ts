// @ts-nocheck
import { askOfAuthor } from "./author-source.ts";

/** Whether the author follows the channel. */
export const askFollowing = askOfAuthor({
  name: "channel followers",
  key: "following",
  async read({ network }, { channelId, fid }, signal) {
    const { following } = await network.channelFollows.status({ channelId, fid }, { signal });
    return following;
  },
});
