import { sql, type Selectable } from "kysely";
import type { Tx } from "../database/database.ts";
import type { CaseKind, EventTable } from "../database/tables/bot.ts";
import type { BadKeyState } from "./live/bot-key.ts";
import { toStorableJson } from "../text/storable.ts";

/** Everything that can happen in or around a channel, by kind. The first block comes from the network, the last from us. */
export interface EventData {
  "cast.created": {
    castHash: string;
    text: string;
    parentHash?: string;
    rootHash: string;
    threadDepth: number;
    mentions: number[];
    embeds: string[];
    /** Byte offsets (UTF-8) of the mentioned names in the text. Absent without mentions, and in older events. */
    mentionsPositions?: number[];
    /** Hashes of the casts it quotes; absent without quotes. */
    quotes?: string[];
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
  /** A case belongs to one server: other servers linked to the channel do not get this event. */
  "case.settled": { guildId: string; number: number; kind: string; state: string };
  /** Somebody starts an action on many targets; `kinds` are the kinds of its cases. */
  "bulk.begun": { guildId: string; bulkId: number; kinds: CaseKind[]; otherChannelIds?: string[] };
  /** The posts about this bulk are out of date. */
  "bulk.changed": { guildId: string; bulkId: number };
  /** A server was linked or unlinked, or the bot gained or lost its own role. */
  "link.changed": { guildId: string; change: LinkChange; reason: string };
  /** A rule belongs to one server: other servers linked to the channel do not get its hits. */
  "rule.hit": {
    guildId: string;
    ruleId: string;
    version: number;
    mode: string;
    actions: string[];
    eventId: number;
  };
  /** Points for the event `eventId` (earlier versions did not store it); `total` is the sum in force at that moment. */
  "strike.added": {
    guildId: string;
    /** null if a person gave them. */
    ruleId: string | null;
    userId?: string;
    points: number;
    total: number;
    eventId?: number;
  };
  /** Somebody changed a server's rules, settings, feeds or links. */
  "setup.changed": { guildId: string; userId: string; what: string };
  /** A rule alerts moderators; `roomId` if it alerts only one room. */
  "rule.alert": { guildId: string; ruleId: string; text: string; roomId?: string; eventId?: number };
  /** A rule acted too often and was stopped. */
  "rule.tripped": { guildId: string; ruleId: string; acted: number; perSeconds: number; mode: string };
  /** Rules took too long on an event and are off from this version on. */
  "rules.slow": { guildId: string; version: number; ruleIds: string[] };
  /** Somebody activated another version of the server's rules; `changed` has the modes before and after. */
  "rules.changed": {
    guildId: string;
    version: number;
    /** Where the version came from: "import", "rollback to version 3". */
    change: string;
    userId: string;
    added: { id: string; mode: string }[];
    removed: string[];
    changed: { id: string; before: string; after: string }[];
  };
  /** This version cannot read the rules that an earlier Castellan activated. */
  "rules.unreadable": { guildId: string; version: number; mistakes: string[] };
  /** Something was queued for review: by a rule, a report or an appeal. */
  "review.held": { guildId: string; itemId: number; ruleId: string; queue: string };
  /** The same review item now covers another channel. */
  "review.widened": { guildId: string; itemId: number };
  /** Somebody asks the channel's owner to decide. */
  "review.escalated": { guildId: string; itemId: number; queue: string; userId: string };
  /** Review items have waited too long. */
  "review.waiting": { guildId: string; items: { id: number; queue: string }[]; oldestAt: number };
  /** Somebody allowed rules to act, or stopped them. */
  "automod.changed": {
    guildId: string;
    paused: boolean;
    userId: string;
    reason: string;
    until: number | null;
    /** A lockdown is running, which hides nothing meanwhile. */
    stopsLockdown?: true;
  };
  /** A lockdown began or ended; `userId` is null if it expired. `hidden`: casts it hid. `inDoubt`: casts perhaps hidden. */
  "lockdown.changed": {
    guildId: string;
    begun: boolean;
    userId: string | null;
    reason: string;
    until: number | null;
    hidden: number;
    inDoubt?: number;
  };
  /** The network rejects the bot's key, or a hub reports it as removed or about to expire; `message` is their text. */
  "key.trouble": { guildId: string; trouble: KeyTrouble; message: string };
  /** A webhook's calls have failed since then (UNIX seconds). */
  "webhook.failing": { guildId: string; name: string; since: number; error: string };
  /** A server's rules have a timer with this interval, in seconds, and it is due. */
  "timer.fired": { guildId: string; every: number };
}
export type EventKind = keyof EventData;
export type KeyTrouble = "refused" | BadKeyState;
export type LinkChange =
  "suspended" | "restored" | "bot_role_lost" | "bot_role_back" | "staff_proven" | "staff_withdrawn";

/** An event's kind with the data for that kind. */
export type EventContent = { [K in EventKind]: { kind: K; data: EventData[K] } }[EventKind];

/** Prefix of the source keys of events from the network's own channel events. */
export const channelEventPrefix = "channel-event:";

/** Common to all events. */
interface Envelope {
  /** Unique: the same observation always has the same key. */
  sourceKey: string;
  /** null for events outside channels, such as name proofs. */
  channelId: string | null;
  /** The user concerned: a cast's author, a proof's fid, the banned user. */
  subjectFid: number | null;
  /** UNIX seconds, as the network reports. */
  occurredAt: number;
  /** UNIX milliseconds at which Castellan saw it. */
  observedAt: number;
  /** 0 if a person or the outside world caused it, n + 1 if a rule's action at depth n did. */
  depth: number;
  /** The case that caused it, set when a case claims it. */
  caseId: number | null;
  /** UNIX milliseconds at which reading of the listing began. Only for listings. Not stored. */
  readAtMs?: number;
  /** Our own cases whose changes came after this event although they were announced earlier. Not stored. */
  precedes?: readonly number[];
}

interface EventOf<K extends EventKind> extends Envelope {
  kind: K;
  data: EventData[K];
}

/** An event before it is stored. */
export type NewChannelEvent = { [K in EventKind]: EventOf<K> }[EventKind];

/** Input of newEvent. The rest of the envelope has defaults. */
type EventInput = EventContent &
  Pick<Envelope, "sourceKey" | "channelId"> &
  Partial<Pick<Envelope, "subjectFid" | "occurredAt" | "depth" | "caseId" | "readAtMs">>;

/** The source key of a rule's hit: unique per target, server and channel. */
export function hitSource(
  of: Readonly<{ guildId: string; channelId: string; ruleId: string; eventId: number }>,
): string {
  return `rule:${of.eventId}:${of.guildId}:${of.channelId}:${of.ruleId}`;
}

/**
 * An event observed at `observedAt` (UNIX milliseconds). By default it happened at that time, has no subject, and was not
 * caused by a case.
 */
export function newEvent(observedAt: number, event: EventInput): NewChannelEvent {
  const occurredAt = Math.floor(observedAt / 1000);
  return { subjectFid: null, occurredAt, observedAt, depth: 0, caseId: null, ...event };
}

/** A stored event; ids grow in the order in which events become visible. */
export type ChannelEvent = NewChannelEvent & { id: number };

/** Narrows an event by kind. */
export type ChannelEventOf<K extends EventKind> = EventOf<K> & { id: number };

/**
 * Stores new events with everything that follows from them. Call it last in a transaction, because it locks the counter
 * that orders all events.
 */
export type AppendEvents = (tx: Tx, events: NewChannelEvent[]) => Promise<ChannelEvent[]>;

/** Subscribers that run in the transaction that stores events: moderation, rules and the feed, as src/start wires them. */
interface EventSubscribers {
  /** Sets `caseId` and `depth` of events that our own cases caused, and returns those not already known. */
  claim(tx: Tx, events: NewChannelEvent[]): Promise<NewChannelEvent[]>;
  /** Adds what follows from stored events: evaluations to queue, messages to post. */
  fanOut: readonly ((tx: Tx, events: ChannelEvent[]) => Promise<void>)[];
}

/**
 * Callers move a row of their own in the same transaction, so they never append the same event twice. The check here
 * covers events that a source reads again. If two transactions still store the same event, because two workers read the
 * same message at once, the later one is rolled back and retried, and then finds the event stored.
 */
export function createAppendEvents(subscribers: EventSubscribers): AppendEvents {
  return async (tx, events) => {
    const unknown = await withoutKnown(tx, events);
    if (unknown.length === 0) return [];
    // Before the counter, because claiming locks cases, and the holder of a case may be waiting for the counter.
    const fresh = await subscribers.claim(tx, unknown);
    if (fresh.length === 0) return [];
    const firstId = await takeIds(tx, fresh.length);
    const stored = fresh.map((event, index): ChannelEvent => ({ ...event, id: firstId + index }));
    await store(tx, stored);
    for (const fanOut of subscribers.fanOut) await fanOut(tx, stored);
    return stored;
  };
}

async function withoutKnown(tx: Tx, events: NewChannelEvent[]): Promise<NewChannelEvent[]> {
  const byKey = new Map(events.map((event) => [event.sourceKey, event]));
  if (byKey.size === 0) return [];
  const { rows } = await sql<{ source_key: string }>`
    select source_key from castellan.events
    where source_key in (select jsonb_array_elements_text(${JSON.stringify([...byKey.keys()])}::text::jsonb))
  `.execute(tx);
  for (const { source_key } of rows) byKey.delete(source_key);
  return [...byKey.values()];
}

/** The first of `count` ids. The row stays locked until the commit, so ids become visible in order. */
async function takeIds(tx: Tx, count: number): Promise<number> {
  const { last_id } = await tx
    .updateTable("castellan.counters")
    .set((eb) => ({ last_id: eb("last_id", "+", count) }))
    .where("name", "=", "events")
    .returning("last_id")
    .executeTakeFirstOrThrow();
  return last_id - count + 1;
}

async function store(tx: Tx, events: ChannelEvent[]): Promise<void> {
  await sql`
    insert into castellan.events
    select * from jsonb_populate_recordset(null::castellan.events, ${toStorableJson(events.map(toRow))}::text::jsonb)
  `.execute(tx);
}

type EventRow = Selectable<EventTable>;

/** An event as a row of castellan.events. */
export function toRow(event: ChannelEvent): EventRow {
  return {
    id: event.id,
    source_key: event.sourceKey,
    kind: event.kind,
    channel_id: event.channelId,
    subject_fid: event.subjectFid,
    cast_hash: "castHash" in event.data ? event.data.castHash : null,
    occurred_at: event.occurredAt,
    observed_at_ms: event.observedAt,
    depth: event.depth,
    case_id: event.caseId,
    data: event.data,
  };
}

export function toEvent(row: EventRow): ChannelEvent {
  return {
    id: row.id,
    sourceKey: row.source_key,
    kind: row.kind,
    channelId: row.channel_id,
    subjectFid: row.subject_fid,
    occurredAt: row.occurred_at,
    observedAt: row.observed_at_ms,
    depth: row.depth,
    caseId: row.case_id,
    data: row.data,
    // Stored by appendEvents, whose type pairs kind and data.
  } as ChannelEvent;
}
