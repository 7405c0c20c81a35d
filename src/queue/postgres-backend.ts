import { runMigrations } from "bullmq";
import { sql } from "kysely";
import type { Database } from "../database/database.ts";
import { createBackend, type Backend } from "./backend.ts";
import { createListeningPool } from "./listening-pool.ts";
import { createThrottledPostgresBackend } from "./throttled-postgres-backend.ts";

/** Seconds until a job is found whose notification was lost; the embedded engine has no connections to lose. */
const longestWait = { server: 10, embedded: 60 };

export async function openPostgresBackend(database: Database): Promise<Backend> {
  await migrateQueues(database);
  const connection = createListeningPool(database);
  return createBackend(
    createThrottledPostgresBackend(longestWait[database.engine]),
    { connection },
    {
      async dropFarLocks({ name }, lockDuration) {
        await database.pool.query(
          "update bullmq.job set locked_until_ms = 0 where queue = $1 and state = 'active' and locked_until_ms > $2",
          [name, Date.now() + 2 * lockDuration],
        );
      },
      // The pool drops dead connections automatically.
      reconnect() {},
      close: () => connection.close(),
    },
  );
}

const migrated = new WeakMap<Database, Promise<void>>();

/** Migrates BullMQ's own tables, in the schema bullmq, once per process. Safe to repeat, and from several processes. */
export function migrateQueues(database: Database): Promise<void> {
  const known = migrated.get(database);
  if (known) return known;
  const migrating = runQueueMigrations(database);
  migrated.set(database, migrating);
  migrating.catch(() => migrated.delete(database));
  return migrating;
}

async function runQueueMigrations(database: Database): Promise<void> {
  const client = await database.pool.connect();
  try {
    await runMigrations(client);
  } finally {
    client.release();
  }
}

/**
 * Returns all running jobs to their places in the queue. For a process that is alone on the database and has not
 * started any: the processes that ran them are dead, which BullMQ would notice only when their locks expire.
 */
export async function releaseJobs(database: Database): Promise<void> {
  await migrateQueues(database);
  await sql`
    update bullmq.job set state = 'waiting', lock_token = null, locked_until_ms = null, stalled_marked = false
    where state = 'active'
  `.execute(database.query);
}
