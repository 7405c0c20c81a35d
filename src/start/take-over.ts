import type { Database } from "../database/database.ts";
import { releaseJobs } from "../queue/backend.ts";

/**
 * Takes back what a killed process held: its jobs, and its leases on cases, rooms and evaluations. Only in the embedded
 * database, which belongs to one process: there all of it is of the dead. On a server others may live, and what the dead
 * held falls to them when it expires. To be called before anything else works on the database.
 */
export async function takeOver(database: Database): Promise<void> {
  if (database.engine !== "embedded") return;
  await releaseJobs(database);
  await database.transaction(async (tx) => {
    await tx
      .updateTable("castellan.cases")
      .set({ leased_until_ms: null, lease_token: null })
      .where("state", "=", "requested")
      .where("lease_token", "is not", null)
      .execute();
    await tx
      .updateTable("castellan.feed_lanes")
      .set({ leased_until_ms: 0, lease_token: null })
      .where("lease_token", "is not", null)
      .execute();
    await tx
      .updateTable("castellan.rule_evaluations")
      .set({ leased_until_ms: null, lease_token: null })
      .where("lease_token", "is not", null)
      .execute();
  });
}
