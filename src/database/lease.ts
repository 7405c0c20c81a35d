import { randomUUID } from "node:crypto";
import { sql, type RawBuilder } from "kysely";
import type { Clock } from "../clock.ts";
import type { Tx } from "./database.ts";

/**
 * Tables of work that one worker at a time may do, with the columns `lease_token` and `leased_until_ms`, and how long a
 * lease on their rows lasts: longer than the work takes, in milliseconds. Whoever takes a row writes a new lease into it,
 * and settles it only while that token still stands there. What a worker held when it died is free once its lease is over.
 */
const leaseTimes = {
  "castellan.cases": 60_000,
  // A send takes seconds; should one take longer, nonce and look-up keep whoever comes next from posting it twice.
  "castellan.room_queues": 30_000,
  // Opening a room, looking for the message and sending it; each may wait for a rate limit.
  "castellan.outbox": 60_000,
  "castellan.rule_evaluations": 60_000,
  // A worker renews it with each few targets; each target has a lease of its own.
  "castellan.bulks": 120_000,
  // The request of an API token: rights, and then the network.
  "castellan.api_requests": 120_000,
};

export const leasedTables: readonly string[] = Object.keys(leaseTimes);

/** What a worker writes into the rows it takes, and what it knows them by afterwards. */
export interface Lease {
  lease_token: string;
  leased_until_ms: number;
}

export function createLease(table: keyof typeof leaseTimes, clock: Clock): Lease {
  return { lease_token: randomUUID(), leased_until_ms: clock.now() + leaseTimes[table] };
}

/** Written into a row, it gives the row back. */
export const noLease = { lease_token: null, leased_until_ms: 0 };

/** Whether nobody holds a row, or its lease is over. */
export function isUnleased(clock: Clock): RawBuilder<boolean> {
  return sql<boolean>`(leased_until_ms is null or leased_until_ms <= ${clock.now()})`;
}

/** Gives back whatever is held, by whomever: for a process that knows itself alone on the database, and has not begun yet. */
export async function releaseLeases(tx: Tx): Promise<void> {
  for (const table of leasedTables) {
    await sql`
      update ${sql.table(table)} set lease_token = null, leased_until_ms = 0 where lease_token is not null
    `.execute(tx);
  }
}
