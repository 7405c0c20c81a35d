import type { CaseKind } from "../database/tables/bot.ts";
import type { ChannelEvent, ChannelEventOf, EventKind } from "../observe/events.ts";

/** The kinds that a room can subscribe to, in the order in which they are offered. */
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
 * A room's default kinds; for names, only those of members. Casts and the whole network's names would drown the rest, and
 * cases repeat them.
 */
export const usualFeedKinds: readonly FeedKind[] = feedKinds.filter(
  (kind) => kind !== "casts" && kind !== "cases",
);

/** Moderators' work, which rooms for readers never show. */
const deskKinds: readonly FeedKind[] = ["rules", "reviews", "cases", "health"];
/** The default kinds of a room for readers. */
export const usualReadersKinds: readonly FeedKind[] = ["members", "pins", "channel", "casts"];

/** Order of sending if a room is behind: the lowest rank first, and within a rank the oldest. */
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
/** Kinds that strangers can produce in any number: they go into a digest if too many wait. */
export const massRank = 2;

/** Kinds that only rules use, and one that only changes earlier posts. */
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
  // Also posted in rooms that subscribe to its actions.
  "bulk.begun": "cases",
  // The rule's hit is already announced.
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
  "webhook.failing": "health",
};

/** The events of these kinds. A bulk's post takes the place of its actions, so readers see it. */
export const deskOnly: readonly AnnouncedKind[] = Object.entries(feedKindOf).flatMap(
  ([kind, feedKind]) =>
    deskKinds.includes(feedKind) && kind !== "bulk.begun" ? [kind as AnnouncedKind] : [], // a key of `feedKindOf`
);

/** Whether rooms for readers show an event. A rule that posts in a room means the people there. */
export function isForReaders({ kind, data }: Pick<AnnouncedEvent, "kind" | "data">): boolean {
  return !deskOnly.includes(kind) || "roomId" in data;
}

/** The kinds that a room for readers does not show. */
export function listDeskKinds(kinds: readonly FeedKind[]): FeedKind[] {
  return kinds.filter((kind) => deskKinds.includes(kind));
}

export function rankOf(kind: AnnouncedKind): number {
  return ranks[feedKindOf[kind]];
}

/** A bulk's kinds include those of its cases, because these are not posted one by one. */
export function kindsOf(event: AnnouncedEvent): FeedKind[] {
  const own = feedKindOf[event.kind];
  if (event.kind !== "bulk.begun") return [own];
  const { kinds } = event.data;
  return [own, ...kinds.flatMap((kind) => feedKindsOfCase[kind])];
}

/** Which feed kinds cover the cases of a kind. */
const feedKindsOfCase: Record<CaseKind, readonly FeedKind[]> = {
  hide: ["records"],
  unhide: ["records"],
  ban: ["bans", "restrictions", "members"],
  unban: ["bans", "restrictions"],
  change_expiry: ["bans"],
  invite: ["invites"],
  revoke_invite: ["invites"],
  remove_member: ["members", "restrictions"],
  pin: ["pins"],
  unpin: ["pins"],
};
