import { eventsPerBlock, messageEpoch, type HubEvent } from "../../contract/hub.ts";
import type { Source } from "../sources.ts";
import { isUsableTime } from "./parse-events.ts";

/** The period in which events may be missing, in UNIX seconds. */
export interface Gap {
  from: number;
  until: number;
}

/** What the blocks of a page show about its events. */
interface BlockReading {
  /** When each event was merged, UNIX seconds. */
  times: number[];
  /** Between blocks that do not follow each other, or in a block with fewer events than it announces. */
  gap: Gap | undefined;
  /** How many events of the last block are still to come; null if unknown. */
  left: number | null;
  newestAt: number | null;
}

/**
 * Reads the blocks of ascending events after a source's position. Each block begins with an event that reports when it was
 * confirmed and how many events it contains, and blocks have contiguous numbers. This dates events that have no time, and
 * reveals missing ones. Hubs without such events date each event; otherwise the time is `now`.
 */
export function readBlocks(
  source: Pick<Source, "position" | "newest_at" | "block_left">,
  events: readonly HubEvent[],
  now: number,
): BlockReading {
  let block = Math.floor(source.position / eventsPerBlock);
  let left = source.block_left;
  let newestAt = source.newest_at;
  let gap: Gap | undefined;
  const missing = (until: number) => {
    gap = { from: Math.min(gap?.from ?? newestAt ?? until, until), until };
  };
  const times: number[] = [];
  for (const { id, timestamp, blockConfirmedBody: confirmed } of events) {
    const own = Math.floor(id / eventsPerBlock);
    if (confirmed) {
      const named = confirmed.timestamp + messageEpoch;
      const at = isUsableTime(named, now) ? named : now;
      if (left !== null && (left !== 0 || own !== block + 1)) missing(at);
      left = confirmed.totalEvents - 1;
      newestAt = at;
    } else if (left !== null) {
      left = own === block ? left - 1 : -1;
      if (left < 0) {
        missing(newestAt ?? now);
        left = null;
      }
    }
    block = own;
    if (isUsableTime(timestamp, now)) newestAt = timestamp;
    else if (left === null) {
      times.push(now);
      continue;
    }
    times.push(newestAt ?? now);
  }
  return { times, gap, left, newestAt };
}
