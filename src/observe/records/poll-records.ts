import { sql } from "kysely";
import type { BotContext } from "../../bot-context.ts";
import type { ModerationAction } from "../../contract/casts.ts";
import type { Tx } from "../../database/database.ts";
import { newEvent, type NewChannelEvent } from "../events.ts";
import {
  findWatched,
  latestPast,
  markGood,
  moveSource,
  openSource,
  withFailureNoted,
  type Source,
} from "../sources.ts";
import { eventTolerance, findNewRecords, readWindow, type NewRecord } from "./read-records.ts";

/** A record may become visible a little later than newer ones, so this many seconds before the newest are read again. */
const overlap = 5;
/** Records in one transaction. */
const chunkSize = 500;

/**
 * Reads a linked channel's moderation records. They have no id, no actor and only whole seconds: the listing from a little
 * before the newest known record on is compared with the stored records of that period. Records older than the link are
 * the baseline, as far back as the hub retains casts, and are not news.
 */
export async function pollRecords(context: BotContext, channelId: string): Promise<void> {
  const watched = await findWatched(context.database.query, channelId);
  if (!watched) return;
  const source = await openSource(context.database.query, `records/${channelId}`, channelId);
  await withFailureNoted(context, source.source, async () => {
    const linkedAt = Math.floor(watched.since_ms / 1000);
    const readAtMs = context.clock.now();
    const from = source.has_baseline
      ? latestPast(source.position, [], Math.floor(readAtMs / 1000)) - overlap
      : linkedAt - context.settings.hubRetention;
    const listed = await readWindow(context.network, channelId, Math.max(0, from));
    await storeListedRecords(context, source, listed, { from, linkedAt, readAtMs });
  });
}

/**
 * Stores the new records of a channel from a second on, newest first. Only a reading that began at the position moves it,
 * because any other may have skipped some.
 */
export async function storeListedRecords(
  context: BotContext,
  source: Source,
  listed: readonly ModerationAction[],
  { from, ...rest }: Omit<Window, "reachesBack"> & { from: number },
): Promise<void> {
  const stored = await context.database.query
    .selectFrom("castellan.records")
    .select(["cast_hash as castHash", "action", "moderated_at as moderatedAt", "event_id as eventId"])
    .where("channel_id", "=", source.channel_id)
    .where("moderated_at", ">=", from - eventTolerance)
    .execute();
  const records = findNewRecords(listed, stored);
  const window = { ...rest, reachesBack: !source.has_baseline || from <= source.position };
  const times = listed.map(({ moderatedAt }) => moderatedAt);
  const newest = latestPast(source.position, times, Math.floor(window.readAtMs / 1000));
  const stays = newest === source.position || !window.reachesBack;
  if (records.length === 0 && source.has_baseline && stays) await markGood(context, source, window.readAtMs);
  else await storeAll(context, source, { records, newest }, window);
}

/** Oldest first. Each chunk moves the position itself, so a crash between two neither loses nor repeats anything. */
async function storeAll(
  context: BotContext,
  source: Source,
  { records, newest }: { records: NewRecord[]; newest: number },
  window: Window,
): Promise<void> {
  let current = source;
  const now = Math.floor(window.readAtMs / 1000);
  for (let from = 0; from === 0 || from < records.length; from += chunkSize) {
    const chunk = records.slice(from, from + chunkSize);
    const behind = from + chunkSize < records.length;
    const reached = behind ? latestPast(current.position, [chunk.at(-1)?.moderatedAt ?? 0], now) : newest;
    const position = window.reachesBack ? reached : current.position;
    const moved = await context.database.transaction((tx) =>
      storeChunk(context, tx, current, { chunk, position, behind, ...window }),
    );
    if (!moved) return;
    current = { ...current, version: current.version + 1, position };
  }
}

/** The period that was read. */
export interface Window {
  /** UNIX seconds. */
  linkedAt: number;
  readAtMs: number;
  /** It begins at the position, or there is no position yet. */
  reachesBack: boolean;
}

interface Chunk extends Window {
  chunk: NewRecord[];
  position: number;
  behind: boolean;
}

async function storeChunk(
  context: BotContext,
  tx: Tx,
  source: Source,
  { chunk, position, behind, linkedAt, readAtMs }: Chunk,
): Promise<boolean> {
  const nowMs = context.clock.now();
  const changes = {
    position,
    behind,
    // Until the last chunk of the baseline is stored, a restart reads it all again.
    has_baseline: source.has_baseline || !behind,
    newest_at: position === 0 ? null : position,
    seen: source.seen + chunk.length,
  };
  if (!(await findWatched(tx, source.channel_id ?? ""))) return false;
  if (!(await moveSource(tx, source, changes, readAtMs))) return false;
  await storeRecords(tx, chunk);
  const authors = await applyRecords(tx, chunk);
  const news = chunk.filter((record) => source.has_baseline || record.moderatedAt >= linkedAt);
  await context.appendEvents(tx, toEvents(news, authors, nowMs));
  return true;
}

async function storeRecords(tx: Tx, records: readonly NewRecord[]): Promise<void> {
  if (records.length === 0) return;
  await tx
    .insertInto("castellan.records")
    .values(
      records.map((record) => ({
        channel_id: record.channelId,
        cast_hash: record.castHash,
        action: record.action,
        moderated_at: record.moderatedAt,
      })),
    )
    .execute();
}

/** Hides and unhides indexed casts as the records show; returns their authors where known. */
export async function applyRecords(
  tx: Tx,
  records: readonly Pick<NewRecord, "castHash" | "action">[],
): Promise<ReadonlyMap<string, number>> {
  const hidden = new Map(records.map((record) => [record.castHash, record.action === "hide"]));
  if (hidden.size === 0) return new Map();
  const { rows } = await sql<{ hash: string; fid: number }>`
    update castellan.casts set hidden = latest.hidden
    from unnest(${[...hidden.keys()]}::text[], ${[...hidden.values()]}::boolean[]) as latest (hash, hidden)
    where casts.hash = latest.hash
    returning casts.hash, casts.fid
  `.execute(tx);
  return new Map(rows.map((row) => [row.hash, row.fid]));
}

/** The subject is the cast's author if the cast is indexed. */
function toEvents(
  records: readonly NewRecord[],
  authors: ReadonlyMap<string, number>,
  observedAt: number,
): NewChannelEvent[] {
  return records.map(({ channelId, castHash, action, moderatedAt, ordinal }) =>
    newEvent(observedAt, {
      kind: action === "hide" ? "record.hidden" : "record.unhidden",
      sourceKey: `record:${channelId}:${castHash}:${action}:${moderatedAt}:${ordinal}`,
      channelId,
      subjectFid: authors.get(castHash) ?? null,
      occurredAt: moderatedAt,
      data: { castHash },
    }),
  );
}
