import type { ChannelEvent, ChannelEventOf, EventKind } from "../observe/event.ts";

/** What a room can ask for, in the order in which it is offered. */
export const feedKinds = [
  "names",
  "records",
  "bans",
  "restrictions",
  "members",
  "invites",
  "pins",
  "channel",
  "casts",
  "rules",
  "reviews",
  "cases",
  "health",
] as const;
export type FeedKind = (typeof feedKinds)[number];

/** What a room gets that asks for nothing in particular: casts would drown the rest, and cases repeat it. */
export const usualFeedKinds: readonly FeedKind[] = feedKinds.filter(
  (kind) => kind !== "casts" && kind !== "cases",
);

/** Kinds that only rules hear of. */
const untold = ["follower.added", "timer.fired"] as const satisfies EventKind[];
export type ToldKind = Exclude<EventKind, (typeof untold)[number]>;
export type ToldEvent = { [K in ToldKind]: ChannelEventOf<K> }[ToldKind];

export function isTold(event: ChannelEvent): event is ToldEvent {
  return !untold.some((kind) => kind === event.kind);
}

export const feedKindOf: Record<ToldKind, FeedKind> = {
  "username_proof.merged": "names",
  "record.hidden": "records",
  "record.unhidden": "records",
  "user.banned": "bans",
  "user.unbanned": "bans",
  "user.restricted": "restrictions",
  "user.unrestricted": "restrictions",
  "member.joined": "members",
  "member.left": "members",
  "invite.created": "invites",
  "invite.ended": "invites",
  "pin.changed": "pins",
  "channel.edited": "channel",
  "cast.created": "casts",
  "cast.removed": "casts",
  "rule.hit": "rules",
  "rule.alert": "rules",
  "review.held": "reviews",
  "review.waiting": "reviews",
  "case.settled": "cases",
  // The rule's hit tells of it already.
  "strike.added": "cases",
  "rule.tripped": "health",
  "rules.slow": "health",
  "rules.unreadable": "health",
  "automod.changed": "health",
  "gap.found": "health",
  "link.changed": "health",
};
