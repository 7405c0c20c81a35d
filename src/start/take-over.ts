import type { Database } from "../database/database.ts";
import { releaseLeases } from "../database/lease.ts";
import { releaseJobs } from "../queue/postgres-backend.ts";

/**
 * Releases the jobs and leases of a killed process. Only in the embedded database, which one process uses at a time,
 * so any other holder is dead. On a server other processes may be alive, and a dead one's work becomes free once its
 * lease expires. Must be called before anything else works on the database.
 */
export async function takeOver(database: Database): Promise<void> {
  if (database.engine !== "embedded") return;
  await releaseJobs(database);
  await database.transaction(releaseLeases);
}
