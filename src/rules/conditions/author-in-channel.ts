import { userEvents } from "../evaluate/occurrence.ts";
import { needOf } from "../facts/fact.ts";
import { listedSource } from "../facts/listed-source.ts";
import { factField, flagCondition, notKnown } from "./make-condition.ts";
import { channelRoles } from "../facts/channel-roles.ts";
import { authorSource } from "../facts/read-network.ts";

export const membership = needOf(
  listedSource("members", {
    name: "channel members",
    async read({ network }, { channelId, fid }, signal) {
      const { result } = await network.channelMembers.list({ channelId, fid, limit: 1 }, { signal });
      return result.members.some((member) => member.fid === fid);
    },
  }),
);

/** Whether the author is a member of the channel, as are its owner and moderators. */
export const authorIsMember = flagCondition({
  name: "author.is_member",
  events: userEvents,
  yes: "the author is a member",
  no: "the author is not a member",
  field: factField(membership),
});

/** Whether the author moderates or owns the channel. Exempt authors never get this far. */
export const authorIsModerator = flagCondition({
  name: "author.is_moderator",
  events: userEvents,
  yes: "the author moderates the channel",
  no: "the author does not moderate the channel",
  field: factField(channelRoles, ({ owner, moderators }, { authorFid }) =>
    authorFid === null
      ? notKnown("the author is not known")
      : owner === authorFid || moderators.includes(authorFid),
  ),
});

export const restriction = needOf(
  listedSource("restrictions", {
    name: "restricted users",
    async read({ network }, { channelId, fid }, signal) {
      const { result } = await network.channelRestrictedUsers.list({ channelId, fid, limit: 1 }, { signal });
      return result.restrictedUsers.some((user) => user.fid === fid);
    },
  }),
);

/** Whether the author can join the channel only by invite. */
export const authorRestricted = flagCondition({
  name: "author.restricted",
  events: userEvents,
  yes: "the author is restricted",
  no: "the author is not restricted",
  field: factField(restriction),
});

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
