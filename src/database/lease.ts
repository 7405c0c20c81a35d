import { randomUUID } from "node:crypto";
import { sql, type RawBuilder } from "kysely";
import type { Clock } from "../clock.ts";
import type { Tx } from "./database.ts";

/**
 * Tables of work for one worker at a time, with the columns `lease_token` and `leased_until_ms`, and the length of a
 * lease, which is longer than the work takes, in milliseconds. A worker that takes a row writes a new lease into it,
 * and settles it only while the row has that token. After a worker's death its rows are free when their leases end.
 */
const leaseTimes = {
  "castellan.cases": 60_000,
  // A send takes seconds; if one takes longer, the nonce and a look-up prevent a second post.
  "castellan.room_queues": 30_000,
  // Opening a room, searching for the message and sending it; each may wait for a rate limit.
  "castellan.outbox": 60_000,
  "castellan.rule_evaluations": 60_000,
  // A worker renews it every few targets; each target has its own lease.
  "castellan.bulks": 120_000,
  // The request of an API token: rights, and then the network.
  "castellan.api_requests": 120_000,
};

export const leasedTables: readonly string[] = Object.keys(leaseTimes);

/** The values that a worker writes into the rows it takes, and recognizes them by. */
export interface Lease {
  lease_token: string;
  leased_until_ms: number;
}

export function createLease(table: keyof typeof leaseTimes, clock: Clock): Lease {
  return { lease_token: randomUUID(), leased_until_ms: clock.now() + leaseTimes[table] };
}

/** Values that release a row. */
export const noLease = { lease_token: null, leased_until_ms: 0 };

/** Whether a row is free: without a lease, or with one that has ended. */
export function isUnleased(clock: Clock): RawBuilder<boolean> {
  return sql<boolean>`(leased_until_ms is null or leased_until_ms <= ${clock.now()})`;
}

/** Whether a row does not wait to be tried again. */
export function isDue(clock: Clock): RawBuilder<boolean> {
  return sql<boolean>`(retry_at_ms is null or retry_at_ms <= ${clock.now()})`;
}

/** Releases all leases: for a process that is alone on the database and has not started its work yet. */
export async function releaseLeases(tx: Tx): Promise<void> {
  for (const table of leasedTables) {
    await sql`
      update ${sql.table(table)} set lease_token = null, leased_until_ms = 0 where lease_token is not null
    `.execute(tx);
  }
}
