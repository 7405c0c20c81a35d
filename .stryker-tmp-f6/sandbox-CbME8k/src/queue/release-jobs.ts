// @ts-nocheck
import { sql } from "kysely";
import type { Database } from "../database/database.ts";
import { migrateQueues } from "./backend.ts";

/**
 * Lets every job that is running wait again, at its old place. For a process that knows itself alone on the database and
 * runs none yet: whoever ran these has died, and BullMQ would find out only when their locks have expired.
 */
export async function releaseJobs(database: Database): Promise<void> {
  await migrateQueues(database);
  await sql`
    update bullmq.job set state = 'waiting', lock_token = null, locked_until_ms = null, stalled_marked = false
    where state = 'active'
  `.execute(database.query);
}
