import type { Tx } from "../../database/database.ts";
import { newEvent, type NewChannelEvent } from "../events.ts";
import type { Gap } from "./blocks.ts";

/** Gaps of one source that are no further apart than this are one; seconds. */
const apart = 60;

/**
 * Writes the gap down and has every listing read to its end, which shows what happened meanwhile. A reading under way does
 * not count: it may have begun before. Where it only makes one longer that was told of already, listings are read again only
 * where they were read to their end before the gap ended. Gives what is to be told: the gap as it is now, unless it was told
 * of so far already.
 */
export async function recordGap(tx: Tx, source: string, gap: Gap, nowMs: number): Promise<Gap | undefined> {
  const latest = await tx
    .selectFrom("castellan.gaps")
    .select(["id", "from_at", "until_at"])
    .where("source", "=", source)
    .orderBy("id", "desc")
    .limit(1)
    .forUpdate()
    .executeTakeFirst();
  const longer =
    latest && latest.from_at <= gap.from && latest.until_at >= gap.from - apart ? latest : undefined;
  const row = { until_at: Math.max(gap.until, longer?.until_at ?? 0), healed_at_ms: null };
  if (longer) {
    await tx.updateTable("castellan.gaps").set(row).where("id", "=", longer.id).execute();
  } else {
    const found = { source, from_at: gap.from, found_at_ms: nowMs };
    await tx
      .insertInto("castellan.gaps")
      .values({ ...row, ...found })
      .execute();
  }
  await tx
    .updateTable("castellan.sources")
    .set((eb) => ({ full_at_ms: null, version: eb("version", "+", 1) }))
    .where("channel_id", "is not", null)
    .$if(longer !== undefined, (query) => query.where("full_at_ms", "<=", (gap.until + 1) * 1000))
    .execute();
  await askForPast(tx, gap);
  if (!longer) return gap;
  return gap.until > longer.until_at ? { from: longer.from_at, until: gap.until } : undefined;
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
