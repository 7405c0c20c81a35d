import type { Tx } from "../../database/database.ts";
import { newEvent, type NewChannelEvent } from "../events.ts";
import type { Gap } from "./blocks.ts";

/** Gaps of one source at most this far apart are merged. */
const mergeWithinSeconds = 60;

/**
 * Stores the gap and has every listing read completely, which shows the changes in between. A reading in progress does not
 * count, because it may have begun before. If a gap extends one that was already reported, only listings last read
 * completely before the gap ended are read again. Returns the gap as it is now if it should be reported.
 */
export async function recordGap(tx: Tx, source: string, gap: Gap, nowMs: number): Promise<Gap | undefined> {
  const { isLonger, reported } = await storeGap(tx, source, gap, nowMs);
  await tx
    .updateTable("castellan.sources")
    .set((eb) => ({ completed_at_ms: null, version: eb("version", "+", 1) }))
    .where("channel_id", "is not", null)
    .$if(isLonger, (query) => query.where("completed_at_ms", "<=", (gap.until + 1) * 1000))
    .execute();
  await requestCastsOf(tx, gap);
  return reported;
}

/**
 * The same for replies that were dropped, which no listing shows: casts of the time in which they were merged are read for
 * replies again. Reading what is under way does not begin again, because it may take longer than it takes for as many
 * replies to wait.
 */
export async function recordDroppedReplies(tx: Tx, gap: Gap, nowMs: number): Promise<Gap | undefined> {
  const { reported } = await storeGap(tx, "replies", gap, nowMs);
  await requestCastsOf(tx, gap);
  return reported;
}

/** `isLonger`: the gap extends an earlier one. `reported`: the gap as it is now, if it is not reported yet. */
async function storeGap(
  tx: Tx,
  source: string,
  gap: Gap,
  nowMs: number,
): Promise<{ isLonger: boolean; reported: Gap | undefined }> {
  const latest = await tx
    .selectFrom("castellan.gaps")
    .select(["id", "from_at", "until_at"])
    .where("source", "=", source)
    .orderBy("id", "desc")
    .limit(1)
    .forUpdate()
    .executeTakeFirst();
  const longer =
    latest && latest.from_at <= gap.from && latest.until_at >= gap.from - mergeWithinSeconds
      ? latest
      : undefined;
  const row = { until_at: Math.max(gap.until, longer?.until_at ?? 0), healed_at_ms: null };
  if (!longer) {
    const found = { source, from_at: gap.from, found_at_ms: nowMs };
    await tx
      .insertInto("castellan.gaps")
      .values({ ...row, ...found })
      .execute();
    return { isLonger: false, reported: gap };
  }
  await tx.updateTable("castellan.gaps").set(row).where("id", "=", longer.id).execute();
  const grown = { from: longer.from_at, until: gap.until };
  return { isLonger: true, reported: gap.until > longer.until_at ? grown : undefined };
}

/** Hardly anybody replies to older casts. */
const repliedWithinSeconds = 86_400;
/** How far in the future hubs accept an author's time. */
const aheadSeconds = 600;

/**
 * Requests the casts from the gap like casts from before a link. Unless they are in the index, no reply to them could
 * become an event, however long after the gap.
 */
async function requestCastsOf(tx: Tx, { from, until }: Gap): Promise<void> {
  await tx
    .updateTable("castellan.watched_channels")
    .set({ past_page: "", past_retry_at_ms: 0 })
    .where("past_page", "is", null)
    .execute();
  await tx
    .updateTable("castellan.casts")
    .set({ replies_known: false })
    .where("cast_at", ">=", from - repliedWithinSeconds)
    .where("cast_at", "<=", until + aheadSeconds)
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
