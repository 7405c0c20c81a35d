import { eventsPerBlock, messageEpoch, type HubEvent } from "../../contract/hub.ts";
import type { Source } from "../sources.ts";
import { isUsableTime } from "./parse-events.ts";

/** UNIX seconds between which events may be missing. */
export interface Gap {
  from: number;
  until: number;
}

/** What the blocks of a page show about its events. */
interface BlockReading {
  /** When each was merged, UNIX seconds. */
  times: number[];
  /** Between blocks that do not follow each other, or in a block that holds less than it says. */
  gap: Gap | undefined;
  /** Events of the last block that are still to come; null where that is unknown. */
  left: number | null;
  newestAt: number | null;
}

/**
 * Reads the blocks of ascending events after a source's position. Each block begins with an event that says when it was confirmed
 * and how many events it holds, and blocks have contiguous numbers. That gives a time to events without one, and shows what is
 * missing. Hubs without such events give each event a time; otherwise the time is `now`.
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
