// @ts-nocheck
import type { Tx } from "../../database/database.ts";
import type { ObserveContext } from "../append-events.ts";
import { findWatched } from "../find-watched.ts";
import { markGood, moveSource, noteFailure, openSource, type Source } from "../source.ts";
import { findNewRecords, type NewRecord } from "./record-diff.ts";
import { readWindow } from "./read-window.ts";
import { applyRecords, recordEvents, storeRecords } from "./store-records.ts";

/** A record may become visible a little after younger ones: so many seconds before the newest are read again. */
const overlap = 5;
/** Records in one transaction. */
const chunkSize = 500;

/**
 * Reads a linked channel's moderation records. They have no id, no actor and only seconds: what the listing shows from a
 * little before the newest known one is compared with what is stored for that time. What is older than the link is the
 * baseline, kept as far back as the hub keeps casts, and no news.
 */
export async function pollRecords(context: ObserveContext, channelId: string): Promise<void> {
  const watched = await findWatched(context.database.query, channelId);
  if (!watched) return;
  const source = await openSource(context.database.query, `records/${channelId}`, channelId);
  await noteFailure(context, source.source, async () => {
    const linkedAt = Math.floor(watched.since_ms / 1000);
    const from = source.baselined ? source.position - overlap : linkedAt - context.settings.hubRetention;
    const lookedAtMs = context.clock.now();
    const listed = await readWindow(context.network, channelId, Math.max(0, from));
    const stored = await context.database.query
      .selectFrom("castellan.records")
      .select(["cast_hash as castHash", "action", "moderated_at as moderatedAt"])
      .where("channel_id", "=", channelId)
      .where("moderated_at", ">=", from)
      .execute();
    const records = findNewRecords(listed, stored);
    if (records.length === 0 && source.baselined) await markGood(context, source, lookedAtMs);
    else await storeAll(context, source, records, { linkedAt, lookedAtMs });
  });
}

/** Oldest first, each chunk with its own move of the watermark: dying between two loses and repeats nothing. */
async function storeAll(
  context: ObserveContext,
  source: Source,
  records: NewRecord[],
  look: Look,
): Promise<void> {
  let current = source;
  for (let from = 0; from === 0 || from < records.length; from += chunkSize) {
    const chunk = records.slice(from, from + chunkSize);
    const behind = from + chunkSize < records.length;
    const position = Math.max(current.position, chunk.at(-1)?.moderatedAt ?? 0);
    const moved = await context.database.transaction((tx) =>
      storeChunk(context, tx, current, { chunk, position, behind, ...look }),
    );
    if (!moved) return;
    current = { ...current, version: current.version + 1, position };
  }
}

interface Look {
  /** UNIX seconds. */
  linkedAt: number;
  lookedAtMs: number;
}

interface Chunk extends Look {
  chunk: NewRecord[];
  position: number;
  behind: boolean;
}

async function storeChunk(
  context: ObserveContext,
  tx: Tx,
  source: Source,
  { chunk, position, behind, linkedAt, lookedAtMs }: Chunk,
): Promise<boolean> {
  const nowMs = context.clock.now();
  const changes = {
    position,
    behind,
    // Until the last chunk of the baseline is stored, a new start reads it all again.
    baselined: source.baselined || !behind,
    newest_at: position === 0 ? null : position,
    seen: source.seen + chunk.length,
  };
  if (!(await findWatched(tx, source.channel_id ?? ""))) return false;
  if (!(await moveSource(tx, source, changes, lookedAtMs))) return false;
  await storeRecords(tx, chunk);
  const authors = await applyRecords(tx, chunk);
  const news = chunk.filter((record) => source.baselined || record.moderatedAt >= linkedAt);
  await context.appendEvents(tx, recordEvents(news, authors, nowMs));
  return true;
}
