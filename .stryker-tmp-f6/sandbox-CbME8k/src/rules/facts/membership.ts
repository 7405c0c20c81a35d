// @ts-nocheck
import { askOfAuthor } from "./author-source.ts";

/** Whether the author is a member of the channel. */
export const askMembership = askOfAuthor({
  name: "channel members",
  key: "membership",
  async read({ network }, { channelId, fid }, signal) {
    const { result } = await network.channelMembers.list({ channelId, fid, limit: 1 }, { signal });
    return result.members.some((member) => member.fid === fid);
  },
});
