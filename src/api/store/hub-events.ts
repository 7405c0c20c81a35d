import { sql, type RawBuilder } from "kysely";
import type { Queryable, Tx } from "../../database/database.ts";
import { checkDraft, eventsPerBlock, hostedShard, type HubEventDraft } from "../domain/hub-event.ts";

/**
 * Appends events to the stream, in this order. Takes the stream's counter, which is the last lock of a transaction:
 * whoever commits later gets larger ids, so ids become visible in order (decisions.md, "order").
 */
export async function appendHubEvents(tx: Tx, now: number, drafts: readonly HubEventDraft[]): Promise<void> {
  if (drafts.length === 0) return;
  await insertEvents(tx, now, drafts.length, draftRows(drafts));
}

/** The draft's JSON after the head that `insertEvents` writes, validated. */
export function eventTail(draft: HubEventDraft): string {
  return JSON.stringify(checkDraft(draft).body).slice(1);
}

/** Writes `count` rows of (type, tail, position from 1), in one statement. */
export async function insertEvents(
  tx: Tx,
  now: number,
  count: number,
  source: RawBuilder<unknown>,
): Promise<void> {
  await sql`with ${eventParts(now, count, source)} select from merged`.execute(tx);
}

/**
 * Parts of a statement that number and write rows as `insertEvents` does, where `condition` holds; the last is `merged`.
 * Every append begins a block of its own, so the counter needs no more than its last id.
 */
export function eventParts(
  now: number,
  count: number,
  source: RawBuilder<unknown>,
  condition: RawBuilder<unknown> = sql`true`,
): RawBuilder<unknown> {
  return sql`
    event_head as (
      update network.stream_heads
      set last_id = (last_id / ${eventsPerBlock}::bigint + 1) * ${eventsPerBlock}::bigint + ${count}::bigint - 1
      where stream = 'hub_events' and ${condition}
      returning last_id - ${count}::bigint as before_first
    ),
    placed as (
      select before_first + position as id, type, tail from event_head, ${source} as event (type, tail, position)
    ),
    merged as (
      insert into network.hub_events (id, type, merged_at, json)
      select id, type, ${now}::bigint,
        '{"type":"' || type || '","id":' || id || ',"blockNumber":' || id / ${eventsPerBlock}::bigint
          || ',"shardIndex":${sql.raw(String(hostedShard))},"timestamp":' || ${now}::bigint || ',' || tail
      from placed order by id
      returning id
    )`;
}

/** Drafts as rows of (type, tail, position from 1). */
export function draftRows(drafts: readonly HubEventDraft[]): RawBuilder<unknown> {
  const types = drafts.map((draft) => draft.type);
  const tails = drafts.map((draft) => eventTail(draft));
  return sql`unnest(${types}::text[], ${tails}::text[]) with ordinality`;
}

export interface HubRange {
  /** Inclusive. */
  from: number;
  /** Exclusive. */
  stop?: number | undefined;
  size: number;
  reverse: boolean;
}

export interface HubEventTexts {
  /** The events' JSON texts, joined by commas. */
  text: string;
  count: number;
  /** Largest id among them; absent on an empty page. */
  lastId?: number;
}

/** One page as the text that is sent: the stored JSON is never parsed. */
export async function readHubEventTexts(db: Queryable, range: HubRange): Promise<HubEventTexts> {
  const direction = sql.raw(range.reverse ? "desc" : "asc");
  const stop = range.stop ?? Number.MAX_SAFE_INTEGER;
  const { rows } = await sql<{ text: string | null; count: number; last_id: number | null }>`
    select string_agg(json, ',' order by id ${direction}) as text, count(*) as count, max(id) as last_id
    from (
      select id, json from network.hub_events
      where id >= ${range.from} and id < ${stop}
      order by id ${direction} limit ${range.size}
    ) as page
  `.execute(db);
  const { text, count = 0, last_id: lastId } = rows[0] ?? {};
  return { text: text ?? "", count, ...(typeof lastId === "number" ? { lastId } : {}) };
}

export async function readHubEventText(db: Queryable, id: number): Promise<string | undefined> {
  const row = await db
    .selectFrom("network.hub_events")
    .select("json")
    .where("id", "=", id)
    .executeTakeFirst();
  return row?.json;
}

/** The id of the last event, or 0. */
export async function readLastHubEvent(db: Queryable): Promise<number> {
  const head = await db
    .selectFrom("network.stream_heads")
    .select("last_id")
    .where("stream", "=", "hub_events")
    .executeTakeFirst();
  return head?.last_id ?? 0;
}
