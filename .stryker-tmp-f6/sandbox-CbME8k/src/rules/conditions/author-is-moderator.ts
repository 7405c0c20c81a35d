// @ts-nocheck
import { unknown } from "../evaluate/condition.ts";
import { askChannelRoles } from "../facts/channel-roles.ts";
import { userEvents } from "../evaluate/occurrence.ts";
import { flagCondition } from "./flag-condition.ts";

/** Whether the author moderates the channel; the owner does. Exempt ones never come so far. */
export const authorIsModerator = flagCondition({
  name: "author.is_moderator",
  events: userEvents,
  yes: "the author moderates the channel",
  no: "the author does not moderate the channel",
  asks: [askChannelRoles],
  read: ({ authorFid }, facts) => {
    const fact = facts.read(askChannelRoles);
    const { source, at } = fact;
    if (!fact.known) return unknown(fact.why, { source, at });
    if (authorFid === null) return unknown("the author is not known");
    const { owner, moderators } = fact.value;
    return { flag: owner === authorFid || moderators.includes(authorFid), source, at };
  },
});
