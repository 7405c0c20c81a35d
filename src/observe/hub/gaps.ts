import type { Tx } from "../../database/database.ts";
import { newEvent, type NewChannelEvent } from "../events.ts";
import type { Gap } from "./blocks.ts";

/** Gaps of one source that are no further apart than this are one; seconds. */
const apart = 60;

/**
 * Writes the gap down and has every listing read to its end, which shows what happened meanwhile. A reading under way does
 * not count: it may have begun before. False where it only makes one longer that was told of already; then listings are read
 * again only where they were read to their end before the gap ended.
 */
export async function recordGap(tx: Tx, source: string, gap: Gap, nowMs: number): Promise<boolean> {
  const longer = await tx
    .updateTable("castellan.gaps")
    .set((eb) => ({
      until_at: eb.fn<number>("greatest", ["until_at", eb.val(gap.until)]),
      healed_at_ms: null,
    }))
    .where("id", "=", (eb) =>
      eb.selectFrom("castellan.gaps").select(eb.fn.max<number>("id").as("id")).where("source", "=", source),
    )
    .where("from_at", "<=", gap.from)
    .where("until_at", ">=", gap.from - apart)
    .executeTakeFirst();
  const isNew = longer.numUpdatedRows === 0n;
  if (isNew) {
    await tx
      .insertInto("castellan.gaps")
      .values({ source, from_at: gap.from, until_at: gap.until, found_at_ms: nowMs })
      .execute();
  }
  await tx
    .updateTable("castellan.sources")
    .set((eb) => ({ full_at_ms: null, version: eb("version", "+", 1) }))
    .where("channel_id", "is not", null)
    .$if(!isNew, (query) => query.where("full_at_ms", "<=", (gap.until + 1) * 1000))
    .execute();
  return isNew;
}

/** `key`: unique among the gaps of this source. */
export function gapEvent(source: string, key: string, gap: Gap, observedAt: number): NewChannelEvent {
  return newEvent(observedAt, {
    kind: "gap.found",
    sourceKey: `gap:${source}:${key}`,
    channelId: null,
    data: { source, ...gap },
  });
}
