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

/** What a room gets unless it asks for something else: casts would drown the rest, and cases repeat it. */
export const usualFeedKinds: readonly FeedKind[] = feedKinds.filter(
  (kind) => kind !== "casts" && kind !== "cases",
);

/** Kinds that only rules hear of. */
const forRulesOnly = ["follower.added", "timer.fired"] as const satisfies EventKind[];
export type AnnouncedKind = Exclude<EventKind, (typeof forRulesOnly)[number]>;
export type AnnouncedEvent = { [K in AnnouncedKind]: ChannelEventOf<K> }[AnnouncedKind];

export function isAnnounced(event: ChannelEvent): event is AnnouncedEvent {
  return !forRulesOnly.some((kind) => kind === event.kind);
}

export const feedKindOf: Record<AnnouncedKind, FeedKind> = {
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
  // The rule's hit is announced already.
  "strike.added": "cases",
  "rule.tripped": "health",
  "rules.slow": "health",
  "rules.unreadable": "health",
  "automod.changed": "health",
  "gap.found": "health",
  "link.changed": "health",
};
