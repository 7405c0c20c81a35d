// @ts-nocheck
import { askOfAuthor } from "./author-source.ts";

/** Whether the author is restricted in the channel: may join again only by invite. */
export const askRestriction = askOfAuthor({
  name: "restricted users",
  key: "restriction",
  async read({ network }, { channelId, fid }, signal) {
    const { result } = await network.channelRestrictedUsers.list({ channelId, fid, limit: 1 }, { signal });
    return result.restrictedUsers.some((user) => user.fid === fid);
  },
});
