/** What can happen in or around a channel, by kind. The first block comes from the network, the last from us. */
export interface EventData {
  "cast.created": {
    castHash: string;
    text: string;
    parentHash?: string;
    rootHash: string;
    threadDepth: number;
    mentions: number[];
    embeds: string[];
  };
  "cast.removed": { castHash: string };
  "username_proof.merged": {
    name: string;
    owner: string;
    change: "registered" | "transferred" | "released" | "replaced";
    previousFid?: number;
    previousName?: string;
  };
  "record.hidden": { castHash: string };
  "record.unhidden": { castHash: string };
  "user.banned": { at: number };
  "user.unbanned": Record<never, never>;
  "user.restricted": { at: number };
  "user.unrestricted": Record<never, never>;
  "member.joined": { at: number };
  "member.left": Record<never, never>;
  "invite.created": { role: "member" | "moderator"; inviterFid: number };
  "invite.ended": { role: "member" | "moderator" };
  "follower.added": { at: number };
  "pin.changed": { castHash: string | null; previousHash: string | null };
  "channel.edited": { fields: string[] };
  "gap.found": { source: string; from: number; until: number };
  /** A case belongs to a server: others linked to the channel do not hear of it. */
  "case.settled": { guildId: string; number: number; kind: string; state: string };
  /** A server's link, or the bot's own role, came or went. */
  "link.changed": { guildId: string; change: LinkChange; reason: string };
  /** A rule belongs to a server: others linked to the channel do not hear of its hits. */
  "rule.hit": {
    guildId: string;
    ruleId: string;
    version: number;
    mode: string;
    actions: string[];
    eventId: number;
  };
  /** A rule gave points; `total` are those that count at that moment. */
  "strike.added": { guildId: string; ruleId: string; points: number; total: number };
  /** A rule calls for people; `roomId` when one room alone is meant. */
  "rule.alert": { guildId: string; ruleId: string; text: string; roomId?: string };
  /** A rule acted too often and does not act any more. */
  "rule.tripped": { guildId: string; ruleId: string; acted: number; perSeconds: number; mode: string };
  /** Rules took too long about an event, and are off from this version on. */
  "rules.slow": { guildId: string; version: number; ruleIds: string[] };
  /** What an earlier Castellan put in force, and this one does not read. */
  "rules.unreadable": { guildId: string; version: number; mistakes: string[] };
  /** A rule holds something for a person. */
  "review.held": { guildId: string; itemId: number; ruleId: string; queue: string };
  /** What a rule held waits for too long. */
  "review.waiting": { guildId: string; items: { id: number; queue: string }[]; oldestAt: number };
  /** Somebody let rules act, or stopped them. */
  "automod.changed": {
    guildId: string;
    paused: boolean;
    userId: string;
    reason: string;
    until: number | null;
  };
  /** The hour that a server's rules asked for, with a timer of so many seconds. */
  "timer.fired": { guildId: string; every: number };
}
export type EventKind = keyof EventData;
export type LinkChange = "suspended" | "restored" | "bot_role_lost" | "bot_role_back";

/** What an event says: its kind, and the data that goes with it. */
export type EventContent = { [K in EventKind]: { kind: K; data: EventData[K] } }[EventKind];

/** What all events have. */
interface Envelope {
  /** Unique: the same thing seen twice has the same key. */
  sourceKey: string;
  /** null for what belongs to no channel: name proofs. */
  channelId: string | null;
  /** The user it is about: a cast's author, a proof's fid, the banned one. */
  subjectFid: number | null;
  /** UNIX seconds, as the network says. */
  occurredAt: number;
  /** UNIX milliseconds, when we saw it. */
  observedAt: number;
  /** 0 when a person or the outside caused it, n + 1 when a rule's action at depth n did. */
  depth: number;
  /** The case that caused it, once one claims it. */
  caseId: number | null;
}

interface EventOf<K extends EventKind> extends Envelope {
  kind: K;
  data: EventData[K];
}

/** An event before it is stored. */
export type NewChannelEvent = { [K in EventKind]: EventOf<K> }[EventKind];

/** What newEvent takes: the rest of the envelope has defaults. */
export type EventInput = EventContent &
  Pick<Envelope, "sourceKey" | "channelId"> &
  Partial<Pick<Envelope, "subjectFid" | "occurredAt" | "depth" | "caseId">>;

/**
 * An event as it is observed, at `observedAt` (UNIX milliseconds). Unless it says otherwise it happened just then, is about
 * nobody in particular, and was caused by no case.
 */
export function newEvent(observedAt: number, event: EventInput): NewChannelEvent {
  const occurredAt = Math.floor(observedAt / 1000);
  return { subjectFid: null, occurredAt, observedAt, depth: 0, caseId: null, ...event };
}

/** An event of the store; ids grow in the order in which events become visible. */
export type ChannelEvent = NewChannelEvent & { id: number };

/** Narrows an event by kind. */
export type ChannelEventOf<K extends EventKind> = EventOf<K> & { id: number };
