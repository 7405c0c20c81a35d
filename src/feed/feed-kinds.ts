import type { ChannelEvent, ChannelEventOf, EventKind } from "../observe/events.ts";

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

/**
 * What a room gets unless it asks for something else, with the names of members alone: casts, and the names of the whole
 * network, would drown the rest, and cases repeat it.
 */
export const usualFeedKinds: readonly FeedKind[] = feedKinds.filter(
  (kind) => kind !== "casts" && kind !== "cases",
);

/** What goes first where a room is behind: the lowest rank; within a rank what happened first. */
const ranks: Record<FeedKind, number> = {
  reviews: 0,
  health: 0,
  bans: 0,
  restrictions: 0,
  rules: 0,
  records: 1,
  members: 1,
  invites: 1,
  pins: 1,
  channel: 1,
  cases: 1,
  names: 2,
  casts: 2,
};
/** Of what strangers make as much of as they like: it is summed up where too much of it waits. */
export const massRank = 2;

/** Kinds that only rules hear of, and one that changes what was told before. */
const notAnnounced = [
  "follower.added",
  "timer.fired",
  "review.widened",
  "bulk.changed",
] as const satisfies EventKind[];
export type AnnouncedKind = Exclude<EventKind, (typeof notAnnounced)[number]>;
export type AnnouncedEvent = { [K in AnnouncedKind]: ChannelEventOf<K> }[AnnouncedKind];

export function isAnnounced(event: ChannelEvent): event is AnnouncedEvent {
  return !notAnnounced.some((kind) => kind === event.kind);
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
  "review.escalated": "reviews",
  "case.settled": "cases",
  // And told to those who hear of what it does (src/feed/feed-rows.ts).
  "bulk.begun": "cases",
  // The rule's hit is announced already.
  "strike.added": "cases",
  "rule.tripped": "health",
  "rules.slow": "health",
  "rules.unreadable": "health",
  "rules.changed": "health",
  "automod.changed": "health",
  "setup.changed": "health",
  "lockdown.changed": "health",
  "gap.found": "health",
  "link.changed": "health",
  "key.trouble": "health",
};

export function rankOf(kind: AnnouncedKind): number {
  return ranks[feedKindOf[kind]];
}
