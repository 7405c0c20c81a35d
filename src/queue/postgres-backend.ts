import { runMigrations } from "bullmq";
import { sql } from "kysely";
import type { Database } from "../database/database.ts";
import { createBackend, type Backend } from "./backend.ts";
import { createListeningPool } from "./listening-pool.ts";
import { createThrottledPostgresBackend } from "./throttled-postgres-backend.ts";

/** Seconds after which a job is found whose notification was lost: the embedded engine has no connections to lose. */
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
      // The pool gives up dead connections by itself.
      reconnect() {},
      close: () => connection.close(),
    },
  );
}

const migrated = new WeakMap<Database, Promise<void>>();

/** BullMQ's own tables, in the schema bullmq: looked at once by a process. Safe to repeat, and from several processes. */
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
 * Lets every job that is running wait again, at its old place. For a process that knows itself alone on the database and runs
 * none yet: whoever ran these has died, and BullMQ would find out only when their locks have expired.
 */
export async function releaseJobs(database: Database): Promise<void> {
  await migrateQueues(database);
  await sql`
    update bullmq.job set state = 'waiting', lock_token = null, locked_until_ms = null, stalled_marked = false
    where state = 'active'
  `.execute(database.query);
}
