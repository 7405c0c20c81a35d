import type { Database } from "../database/database.ts";
import { releaseLeases } from "../database/lease.ts";
import { releaseJobs } from "../queue/postgres-backend.ts";

/**
 * Takes back what a killed process held: its jobs and its leases. Only in the embedded database, which one process uses at
 * a time, so that whoever held anything is dead. On a server other processes may be alive, and what a dead one held is free
 * once its lease expires. To be called before anything else works on the database.
 */
export async function takeOver(database: Database): Promise<void> {
  if (database.engine !== "embedded") return;
  await releaseJobs(database);
  await database.transaction(releaseLeases);
}
