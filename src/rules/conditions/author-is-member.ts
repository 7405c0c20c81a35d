import { userEvents } from "../evaluate/occurrence.ts";
import { needOf } from "../facts/fact.ts";
import { listedSource } from "../facts/listed-source.ts";
import { factField, flagCondition } from "./make-condition.ts";

export const membership = needOf(
  listedSource("members", {
    name: "channel members",
    async read({ network }, { channelId, fid }, signal) {
      const { result } = await network.channelMembers.list({ channelId, fid, limit: 1 }, { signal });
      return result.members.some((member) => member.fid === fid);
    },
  }),
);

/** Whether the author is a member of the channel; owner and moderators are. */
export const authorIsMember = flagCondition({
  name: "author.is_member",
  events: userEvents,
  yes: "the author is a member",
  no: "the author is not a member",
  field: factField(membership),
});
