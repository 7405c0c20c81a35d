import { sql } from "kysely";
import type { Tx } from "../../database/database.ts";
import { newEvent, type NewChannelEvent } from "../event.ts";
import type { NewRecord } from "./record-diff.ts";

export async function storeRecords(tx: Tx, records: readonly NewRecord[]): Promise<void> {
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

/** Hides and shows the casts of the index as the records say; gives the authors of those that it knows. */
export async function applyRecords(
  tx: Tx,
  records: readonly NewRecord[],
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

/** The subject is the cast's author, where the index knows the cast. */
export function recordEvents(
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
