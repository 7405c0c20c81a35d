import { sql, type RawBuilder } from "kysely";
import type { Queryable, Tx } from "../../database/database.ts";
import { checkDraft, eventsPerBlock, messageEpoch, type HubEventDraft } from "../domain/hub-event.ts";
import { listShards, shardOf, type HubShape } from "../domain/hub-shape.ts";

/**
 * Appends events to their shards' streams, in this order. Locks the streams' counters, which are a transaction's last
 * locks, lower shards first: later commits get larger ids, so ids become visible in order within each shard.
 */
export async function appendHubEvents(
  tx: Tx,
  now: number,
  drafts: readonly HubEventDraft[],
  shape: HubShape,
): Promise<void> {
  for (const shard of listShards(shape)) {
    const own = draftsOf(drafts, shard, shape);
    if (own.length > 0)
      await insertEvents(tx, { shard, shape, now }, own.length, eventRows(own.map(eventText)));
  }
}

/** The drafts that a shard merges. */
function draftsOf(
  drafts: readonly HubEventDraft[],
  shard: number,
  shape: HubShape,
): readonly HubEventDraft[] {
  if (shape.shards === 1) return drafts;
  return drafts.filter(({ author }) => author === undefined || shardOf(author, shape) === shard);
}

/** A draft as stored: `tail` is its JSON after the head that `insertEvents` writes. */
export interface HubEventText {
  type: HubEventDraft["type"];
  tail: string;
}

export function eventText(draft: HubEventDraft): HubEventText {
  return { type: draft.type, tail: JSON.stringify(checkDraft(draft).body).slice(1) };
}

/** Where events are appended: a shard's stream, at a UNIX second. */
export interface HubStream {
  shard: number;
  shape: HubShape;
  now: number;
}

/** Writes `count` rows of (type, tail, position from 1), in one statement. */
export async function insertEvents(
  tx: Tx,
  stream: HubStream,
  count: number,
  source: RawBuilder<unknown>,
): Promise<void> {
  await sql`with ${eventParts(stream, count, source)} select`.execute(tx);
}

/** Parts of a statement that add these drafts, which have no author, to every shard, if `condition` holds. */
export function eventPartsOfAll(
  now: number,
  drafts: readonly HubEventDraft[],
  shape: HubShape,
  condition: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const parts = listShards(shape).map((shard) => {
    // Writers to several streams lock the lower shard's before the next.
    const turn = shard === 1 ? condition : sql`exists (select from ${partOf("merged", shard - 1)})`;
    return eventParts({ shard, shape, now }, drafts.length, eventRows(drafts.map(eventText)), turn);
  });
  return sql.join(parts);
}

/**
 * Parts of a statement that number and write rows like `insertEvents` does, if `condition` holds. Every append begins a
 * new block, so the counter needs only its last id.
 */
function eventParts(
  { shard, shape: { asLive }, now }: HubStream,
  count: number,
  source: RawBuilder<unknown>,
  condition: RawBuilder<unknown> = sql`true`,
): RawBuilder<unknown> {
  const perBlock = sql.raw(`${eventsPerBlock}::bigint`);
  // The first event of a block confirms it.
  const first = asLive ? 1 : 0;
  const room = eventsPerBlock - first;
  const moreBlocks = Math.floor((count - 1) / room);
  const place = sql.raw(`${first} + (position - 1) % ${room}`);
  const block = sql.raw(`first_block + (position - 1) / ${room}`);
  const [head, given, merged] = [partOf("head", shard), partOf("given", shard), partOf("merged", shard)];
  const confirmations = sql`
    union all
    select number * ${perBlock}, 'HUB_EVENT_TYPE_BLOCK_CONFIRMED',
      '"blockConfirmedBody":{"blockNumber":' || number || ',"shardIndex":' || ${shard}::bigint
        || ',"timestamp":' || ${now - messageEpoch}::bigint
        || ',"blockHash":"0x' || left(encode(sha256(convert_to(number || tails, 'UTF8')), 'hex'), 40)
        || '","totalEvents":' || total + 1 || '}}'
    from (
      select ${block} as number, count(*) as total, string_agg(tail, '' order by position) as tails
      from ${head}, ${given} group by 1
    ) as blocks`;
  return sql`
    ${head} as (
      update network.stream_heads
      set last_id = (last_id / ${perBlock} + ${1 + moreBlocks}::bigint) * ${perBlock}
        + ${first + ((count - 1) % room)}::bigint
      where stream = ${streamOf(shard)} and ${condition}
      returning last_id / ${perBlock} - ${moreBlocks}::bigint as first_block
    ),
    ${given} as (select type, tail, position from ${source} as event (type, tail, position)),
    ${merged} as (
      insert into network.hub_events (shard, id, type, merged_at, json)
      select ${shard}::smallint, id, type, ${now}::bigint,
        '{"type":"' || type || '","id":' || id || ',"blockNumber":' || id / ${perBlock}
          || ',"shardIndex":' || ${shard}::bigint || ',"timestamp":' || ${now}::bigint || ',' || tail
      from (
        select (${block}) * ${perBlock} + ${place} as id, type, tail from ${head}, ${given}
        ${asLive ? confirmations : sql``}
      ) as placed
      order by id
      returning id
    )`;
}

/** A name for one of the parts, which exist once per shard. */
function partOf(name: string, shard: number): RawBuilder<unknown> {
  return sql.raw(`${name}_of_shard_${shard}`);
}

/** The name of a shard's counter. */
function streamOf(shard: number): string {
  return shard === 1 ? "hub_events" : `hub_events_${shard}`;
}

/** Rows of (type, tail, position from 1). */
export function eventRows(events: readonly HubEventText[]): RawBuilder<unknown> {
  const types = events.map(({ type }) => type);
  const tails = events.map(({ tail }) => tail);
  return sql`unnest(${types}::text[], ${tails}::text[]) with ordinality`;
}

export interface HubRange {
  shard: number;
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
  /** Largest id on the page; absent if it is empty. */
  lastId?: number;
}

/** One page as the text to send, without parsing the stored JSON. */
export async function readHubEventTexts(
  db: Queryable,
  range: HubRange,
  shape: HubShape,
): Promise<HubEventTexts> {
  const direction = sql.raw(range.reverse ? "desc" : "asc");
  const stop = range.stop ?? Number.MAX_SAFE_INTEGER;
  const { rows } = await sql<{ text: string | null; count: number; last_id: number | null }>`
    select string_agg(${asServed(shape)}, ',' order by id ${direction}) as text, count(*) as count, max(id) as last_id
    from (
      select id, json from network.hub_events
      where shard = ${range.shard}::smallint and id >= ${range.from} and id < ${stop}
      order by id ${direction} limit ${range.size}
    ) as page
  `.execute(db);
  const { text, count = 0, last_id: lastId } = rows[0] ?? {};
  return { text: text ?? "", count, ...(typeof lastId === "number" ? { lastId } : {}) };
}

/** Events are stored with the time of their merge, which live hubs omit. */
function asServed({ asLive }: Pick<HubShape, "asLive">): RawBuilder<string> {
  const head = String.raw`^(\{"type":"[A-Z_]+","id":\d+,"blockNumber":\d+,"shardIndex":\d+),"timestamp":\d+`;
  return asLive ? sql`regexp_replace(json, ${head}, ${String.raw`\1`})` : sql`json`;
}

export async function readHubEventText(
  db: Queryable,
  { shard, id }: { shard: number; id: number },
  shape: HubShape,
): Promise<string | undefined> {
  // A raw statement, because composing it with the query builder took as long as running it.
  const { rows } = await sql<{ json: string }>`
    select ${asServed(shape)} as json from network.hub_events where shard = ${shard} and id = ${id}
  `.execute(db);
  return rows[0]?.json;
}

/** The last event id of each shard, or 0. */
export async function readLastHubEvents(
  db: Queryable,
  shape: HubShape,
): Promise<{ shard: number; lastId: number }[]> {
  const heads = await db.selectFrom("network.stream_heads").select(["stream", "last_id"]).execute();
  const lastIds = new Map(heads.map(({ stream, last_id }): [string, number] => [stream, last_id]));
  return listShards(shape).map((shard) => ({ shard, lastId: lastIds.get(streamOf(shard)) ?? 0 }));
}

/** Deletes up to that many of the oldest events merged before a time; returns their number. */
export async function deleteHubEvents(db: Queryable, before: number, most: number): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from network.hub_events using (
      select shard, id from network.hub_events where merged_at < ${before} order by merged_at limit ${most}
    ) as expired
    where hub_events.shard = expired.shard and hub_events.id = expired.id
  `.execute(db);
  return Number(numAffectedRows);
}
