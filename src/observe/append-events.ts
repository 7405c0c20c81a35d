import { sql, type Selectable } from "kysely";
import type { AppendEvents, BotContext } from "../bot-context.ts";
import type { Tx } from "../database/database.ts";
import type { EventTable } from "../database/tables/bot.ts";
import { afterCommit } from "../database/transactions.ts";
import { toStorableJson } from "../text/storable.ts";
import type { ChannelEvent, NewChannelEvent } from "./event.ts";

/** Who hears of events in the transaction that stores them: moderation, rules and the feed, as src/start wires them. */
export interface EventSubscribers {
  /** Sets `caseId` and `depth` of what our own cases caused, before it is stored. */
  claim(tx: Tx, events: NewChannelEvent[]): Promise<void>;
  /** Adds what follows from stored events: rows to evaluate, rows for rooms. */
  fanOut: readonly ((tx: Tx, events: ChannelEvent[]) => Promise<void>)[];
}

/**
 * Callers move a row of their own in the same transaction, so that they never append the same event twice. The check here
 * is for what a source reads again; should two transactions store the same event all the same, the unique key rolls the
 * later one back.
 */
export function createAppendEvents(
  { wake }: Pick<BotContext, "wake">,
  subscribers: EventSubscribers,
): AppendEvents {
  const wakeReaders = () => {
    void wake("evaluate-rules");
    void wake("deliver-feed");
  };
  return async (tx, events) => {
    const fresh = await withoutKnown(tx, events);
    if (fresh.length === 0) return [];
    // Before the counter: it locks cases, and whoever holds a case may be waiting for the counter.
    await subscribers.claim(tx, fresh);
    const firstId = await takeIds(tx, fresh.length);
    const stored = fresh.map((event, index): ChannelEvent => ({ ...event, id: firstId + index }));
    await store(tx, stored);
    for (const fanOut of subscribers.fanOut) await fanOut(tx, stored);
    afterCommit(wakeReaders);
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
