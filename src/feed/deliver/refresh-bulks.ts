import type { Clock } from "../../clock.ts";
import type { Tx } from "../../database/database.ts";
import type { ChannelEvent } from "../../observe/events.ts";
import { requestEditsOf } from "../request-edits.ts";

/**
 * Has what rooms were told of a bulk edited when that is not so any more: a subscriber of the transaction that stores
 * events.
 */
export function refreshBulks(clock: Clock) {
  return async (tx: Tx, events: readonly ChannelEvent[]): Promise<void> => {
    const told = events.flatMap(({ kind, data }) => (kind === "bulk.changed" ? [`bulk ${data.bulkId}`] : []));
    if (told.length > 0) await requestEditsOf(tx, told, clock.now());
  };
}
