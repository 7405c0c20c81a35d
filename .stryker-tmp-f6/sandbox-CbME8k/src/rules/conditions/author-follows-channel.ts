// @ts-nocheck
import { askFollowing } from "../facts/following.ts";
import { userEvents } from "../evaluate/occurrence.ts";
import { flagCondition, readFlag } from "./flag-condition.ts";

/** Whether the author follows the channel. */
export const authorFollowsChannel = flagCondition({
  name: "author.follows_channel",
  events: userEvents,
  yes: "the author follows the channel",
  no: "the author does not follow the channel",
  asks: [askFollowing],
  read: readFlag(askFollowing),
});
