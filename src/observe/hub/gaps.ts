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
  await askForPast(tx, gap);
  return isNew;
}

/** Seconds: hardly anybody replies to older casts. */
const stillReplied = 86_400;

/**
 * What was cast in the gap is asked for as what was cast before a link: without its place in the index no reply to it could be
 * told, however long after the gap.
 */
async function askForPast(tx: Tx, { from }: Gap): Promise<void> {
  await tx
    .updateTable("castellan.watched_channels")
    .set({ past_page: "", past_rests_until_ms: 0 })
    .where("past_page", "is", null)
    .execute();
  await tx
    .updateTable("castellan.casts")
    .set({ replies_known: false })
    .where("cast_at", ">=", from - stillReplied)
    .where("replies_known", "=", true)
    .where("removed_at", "is", null)
    .execute();
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
