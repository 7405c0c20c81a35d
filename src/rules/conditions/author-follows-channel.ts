import { userEvents } from "../evaluate/occurrence.ts";
import { needOf } from "../facts/fact.ts";
import { authorSource } from "../facts/read-network.ts";
import { factField, flagCondition } from "./make-condition.ts";

export const following = needOf(
  authorSource({
    name: "channel followers",
    async read({ network }, { channelId, fid }, signal) {
      const { following } = await network.channelFollows.status({ channelId, fid }, { signal });
      return following;
    },
  }),
);

/** Whether the author follows the channel. */
export const authorFollowsChannel = flagCondition({
  name: "author.follows_channel",
  events: userEvents,
  yes: "the author follows the channel",
  no: "the author does not follow the channel",
  field: factField(following),
});
