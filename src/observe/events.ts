import { sql, type Selectable } from "kysely";
import type { Tx } from "../database/database.ts";
import type { CaseKind, EventTable } from "../database/tables/bot.ts";
import { askForRetry, sqlState } from "../database/transactions.ts";
import type { BadKeyState } from "./live/bot-key.ts";
import { toStorableJson } from "../text/storable.ts";

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
    /** Where in the text the names belong, in UTF-8 bytes; left out where nobody is mentioned, and by earlier versions. */
    mentionsPositions?: number[];
    /** Hashes of the casts that it quotes; left out where there are none. */
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
  /** A case belongs to a server: others linked to the channel do not hear of it. */
  "case.settled": { guildId: string; number: number; kind: string; state: string };
  /** Somebody does something to many targets; `kinds` are the kinds of its cases. */
  "bulk.begun": { guildId: string; bulkId: number; kinds: CaseKind[] };
  /** What rooms were told of it is not so any more. */
  "bulk.changed": { guildId: string; bulkId: number };
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
  /** Points for the event `eventId`, which earlier versions did not store; `total` are those that count at that moment. */
  "strike.added": {
    guildId: string;
    /** null where somebody gave them by hand. */
    ruleId: string | null;
    userId?: string;
    points: number;
    total: number;
    eventId?: number;
  };
  /** Somebody changed the rules, a setting, a feed or a link of a server. */
  "setup.changed": { guildId: string; userId: string; what: string };
  /** A rule calls for people; `roomId` when one room alone is meant. */
  "rule.alert": { guildId: string; ruleId: string; text: string; roomId?: string; eventId?: number };
  /** A rule acted too often and does not act any more. */
  "rule.tripped": { guildId: string; ruleId: string; acted: number; perSeconds: number; mode: string };
  /** Rules took too long about an event, and are off from this version on. */
  "rules.slow": { guildId: string; version: number; ruleIds: string[] };
  /** Somebody put another version of the server's rules in force; `changed` with the modes before and after. */
  "rules.changed": {
    guildId: string;
    version: number;
    /** What made it: "import", "rollback to version 3". */
    change: string;
    userId: string;
    added: { id: string; mode: string }[];
    removed: string[];
    changed: { id: string; before: string; after: string }[];
  };
  /** What an earlier Castellan put in force, and this one does not read. */
  "rules.unreadable": { guildId: string; version: number; mistakes: string[] };
  /** A rule holds something for a person. */
  "review.held": { guildId: string; itemId: number; ruleId: string; queue: string };
  /** The same matter is held in one channel more. */
  "review.widened": { guildId: string; itemId: number };
  /** Somebody wants the channel's owner to decide. */
  "review.escalated": { guildId: string; itemId: number; queue: string; userId: string };
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
  /** A channel is locked down, or no more; `userId` is null where its time was over, `hidden` are casts hidden by it, `inDoubt` those of which it was not known. */
  "lockdown.changed": {
    guildId: string;
    begun: boolean;
    userId: string | null;
    reason: string;
    until: number | null;
    hidden: number;
    inDoubt?: number;
  };
  /** The network refuses the bot's key, or a hub says that it is gone, or ends; `message` are their words. */
  "key.trouble": { guildId: string; trouble: KeyTrouble; message: string };
  /** The hour that a server's rules asked for, with a timer of so many seconds. */
  "timer.fired": { guildId: string; every: number };
}
export type EventKind = keyof EventData;
export type KeyTrouble = "refused" | BadKeyState;
export type LinkChange =
  "suspended" | "restored" | "bot_role_lost" | "bot_role_back" | "staff_proven" | "staff_withdrawn";

/** What an event says: its kind, and the data that goes with it. */
export type EventContent = { [K in EventKind]: { kind: K; data: EventData[K] } }[EventKind];

/** What source keys begin with of what the network's own channel events told, each with its time. */
export const channelEventPrefix = "channel-event:";

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
  /** Of what a listing shows: when it began to be read, UNIX milliseconds. Not stored. */
  readAtMs?: number;
  /** Cases of ours whose changes came after it, though they were told before. Not stored. */
  precedes?: readonly number[];
}

interface EventOf<K extends EventKind> extends Envelope {
  kind: K;
  data: EventData[K];
}

/** An event before it is stored. */
export type NewChannelEvent = { [K in EventKind]: EventOf<K> }[EventKind];

/** What newEvent takes: the rest of the envelope has defaults. */
type EventInput = EventContent &
  Pick<Envelope, "sourceKey" | "channelId"> &
  Partial<Pick<Envelope, "subjectFid" | "occurredAt" | "depth" | "caseId" | "readAtMs">>;

/** The source of a rule's hit: what it acted on, once for each server and channel. */
export function hitSource(
  of: Readonly<{ guildId: string; channelId: string; ruleId: string; eventId: number }>,
): string {
  return `rule:${of.eventId}:${of.guildId}:${of.channelId}:${of.ruleId}`;
}

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

/**
 * Stores events that are not stored yet, with what follows from them. Last in its transaction: it takes the counter that
 * orders all events.
 */
export type AppendEvents = (tx: Tx, events: NewChannelEvent[]) => Promise<ChannelEvent[]>;

/** Who hears of events in the transaction that stores them: moderation, rules and the feed, as src/start wires them. */
interface EventSubscribers {
  /** Sets `caseId` and `depth` of what our own cases caused, and gives what is not known of them already. */
  claim(tx: Tx, events: NewChannelEvent[]): Promise<NewChannelEvent[]>;
  /** Adds what follows from stored events: rows to evaluate, rows for rooms. */
  fanOut: readonly ((tx: Tx, events: ChannelEvent[]) => Promise<void>)[];
}

/**
 * Callers move a row of their own in the same transaction, so that they never append the same event twice. The check here
 * is for what a source reads again; should two transactions store the same event all the same, as when two workers read the same
 * message at once, the later one is rolled back and done again, which then finds it known.
 */
export function createAppendEvents(subscribers: EventSubscribers): AppendEvents {
  return async (tx, events) => {
    const unknown = await withoutKnown(tx, events);
    if (unknown.length === 0) return [];
    // Before the counter: it locks cases, and whoever holds a case may be waiting for the counter.
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
  const stored = sql`
    insert into castellan.events
    select * from jsonb_populate_recordset(null::castellan.events, ${toStorableJson(events.map(toRow))}::text::jsonb)
  `.execute(tx);
  await stored.catch((cause: unknown) => {
    const isKnownByNow = sqlState(cause) === "23505";
    throw isKnownByNow
      ? askForRetry("another transaction stored one of these events a moment ago", cause)
      : cause;
  });
}

type EventRow = Selectable<EventTable>;

/** An event as castellan.events holds it. */
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
