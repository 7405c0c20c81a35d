import { userEvents } from "../evaluate/occurrence.ts";
import { needOf } from "../facts/fact.ts";
import { listedSource } from "../facts/listed-source.ts";
import { factField, flagCondition } from "./make-condition.ts";

export const restriction = needOf(
  listedSource("restrictions", {
    name: "restricted users",
    async read({ network }, { channelId, fid }, signal) {
      const { result } = await network.channelRestrictedUsers.list({ channelId, fid, limit: 1 }, { signal });
      return result.restrictedUsers.some((user) => user.fid === fid);
    },
  }),
);

/** Whether the author may join the channel only by invite. */
export const authorRestricted = flagCondition({
  name: "author.restricted",
  events: userEvents,
  yes: "the author is restricted",
  no: "the author is not restricted",
  field: factField(restriction),
});
