// @ts-nocheck
import { askMembership } from "../facts/membership.ts";
import { userEvents } from "../evaluate/occurrence.ts";
import { flagCondition, readFlag } from "./flag-condition.ts";

/** Whether the author is a member of the channel; owner and moderators are. */
export const authorIsMember = flagCondition({
  name: "author.is_member",
  events: userEvents,
  yes: "the author is a member",
  no: "the author is not a member",
  asks: [askMembership],
  read: readFlag(askMembership),
});
