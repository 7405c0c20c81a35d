import { userEvents } from "../evaluate/occurrence.ts";
import { channelRoles } from "../facts/channel-roles.ts";
import { factField, flagCondition, notKnown } from "./make-condition.ts";

/** Whether the author moderates the channel; the owner does. Authors who are exempt are never asked about. */
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
