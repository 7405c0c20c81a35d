import { sql } from "kysely";
import type { Clock } from "../../clock.ts";
import type { Tx } from "../../database/database.ts";
import type { ChannelEvent } from "../../observe/events.ts";
import { requestEdits } from "../request-edits.ts";

/**
 * Has what rooms were told of a bulk edited when that is not so any more: a subscriber of
 * the transaction that stores events.
 */
export function refreshBulks(clock: Clock) {
  return async (tx: Tx, events: readonly ChannelEvent[]): Promise<void> => {
    for (const event of events) {
      if (event.kind !== "bulk.changed") continue;
      const eventIds = await findTold(tx, event.data.bulkId);
      await requestEdits(tx, { deeds: [], eventIds }, clock.now());
    }
  };
}

async function findTold(tx: Tx, bulkId: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from castellan.events where source_key = ${`bulk ${bulkId}`}
  `.execute(tx);
  return rows.map(({ id }) => id);
}
