import type { HubEvent } from "../../contract/hub.ts";
import type { Tx } from "../../database/database.ts";
import { newEvent, type NewChannelEvent } from "../event.ts";
import type { Source } from "../source.ts";

/** UNIX seconds between which events may be missing. */
export interface Gap {
  from: number;
  until: number;
}

/**
 * Ids are sparse, so a jump says nothing: we ask for the last seen event again. When it is gone, or the last good poll
 * is older than what the hub keeps, events may be missing. An event that grew old while we were listening is no gap:
 * the hub dropped it, but nothing that came after it.
 */
export function findGap(
  source: Source,
  events: readonly HubEvent[],
  now: number,
  retention: number,
): Gap | undefined {
  if (source.good_at_ms === null || source.position === 0) return undefined;
  const lastGood = Math.floor(source.good_at_ms / 1000);
  const silent = now - lastGood > retention;
  const gone = source.anchored && events[0]?.id !== source.position;
  const grewOld = source.newest_at !== null && source.newest_at <= now - retention;
  if (!silent && (!gone || grewOld)) return undefined;
  return {
    from: Math.min(source.newest_at ?? lastGood, now),
    until: Math.min(events[0]?.timestamp ?? now, now),
  };
}

/**
 * Writes the gap down and has every listing read to its end, which shows what became of it. A reading under way does not
 * count: it may have begun before.
 */
export async function recordGap(tx: Tx, source: string, gap: Gap, nowMs: number): Promise<void> {
  await tx
    .insertInto("castellan.gaps")
    .values({ source, from_at: gap.from, until_at: gap.until, found_at_ms: nowMs })
    .execute();
  await tx
    .updateTable("castellan.sources")
    .set((eb) => ({ full_at_ms: null, version: eb("version", "+", 1) }))
    .where("channel_id", "is not", null)
    .execute();
}

export function gapEvent(source: Source, gap: Gap, observedAt: number): NewChannelEvent {
  return newEvent(observedAt, {
    kind: "gap.found",
    sourceKey: `gap:${source.source}:${source.version}`,
    channelId: null,
    data: { source: source.source, ...gap },
  });
}
