import {
  createRedisBackend,
  runMigrations,
  withBackend,
  type BackendFactory,
  type IQueueBackend,
  type PgPool,
  type Processor,
  type Queue,
  type Worker,
  type WorkerOptions,
} from "bullmq";
import { Redis } from "ioredis";
import { sql } from "kysely";
import type { Database } from "../database/database.ts";
import { createThrottledPostgresBackend } from "./throttled-postgres-backend.ts";

export interface JobData {
  key?: string;
}

/** What a run says of itself: one that was due but held back after a failure is none. */
export type RunOutcome = "done" | "held back";

type JobQueue = Queue<JobData, RunOutcome>;
type JobWorker = Worker<JobData, RunOutcome>;

/** What the rest of this folder uses of BullMQ's queue, whichever backend stores it. */
export interface QueueHandle extends Pick<
  JobQueue,
  | "add"
  | "setGlobalConcurrency"
  | "removeGlobalConcurrency"
  | "getJobCounts"
  | "getCompleted"
  | "getFailed"
  | "getActive"
  | "promoteJobs"
  | "name"
  | "waitUntilReady"
  | "close"
> {
  on(event: "error", listener: (error: Error) => void): unknown;
}

export interface WorkerHandle extends Pick<JobWorker, "close" | "cancelAllJobs" | "waitUntilReady"> {
  on(event: "error", listener: (error: Error) => void): unknown;
}

/** Where jobs are stored. The only maker of BullMQ's objects. */
export interface Backend {
  openQueue(name: string): QueueHandle;
  openWorker(
    name: string,
    process: Processor<JobData, RunOutcome>,
    options: Omit<WorkerOptions, "connection">,
  ): WorkerHandle;
  /**
   * Undoes what a clock that was set back leaves: repetitions that wait for a time far away run now, and locks that
   * would hold a dead process's jobs for longer than `lockDuration` (ms) end now.
   */
  dropFarTimes(queue: QueueHandle, lockDuration: number): Promise<void>;
  /** Opens connections anew that may be dead without knowing it. */
  reconnect(): void;
  close(): void;
}

/** Seconds after which a job is found whose notification was lost: the embedded engine has no connections to lose. */
const longestWait = { server: 10, embedded: 60 };

export async function openPostgresBackend(database: Database): Promise<Backend> {
  await migrateQueues(database);
  // The same pool: the two descriptions of its overloads differ only in what BullMQ never calls.
  const connection = database.pool as PgPool;
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
      close() {},
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

/** `prefix` separates what shares one Redis. */
export function openRedisBackend(url: string, prefix: string): Backend {
  // BullMQ asks for null: a command waits for the connection instead of failing.
  const connection = new Redis(url, { maxRetriesPerRequest: null, keepAlive: 10_000 });
  // Each queue and worker on the connection reports its errors; without a listener the event would end the process.
  connection.on("error", () => {});
  return createBackend(
    createRedisBackend,
    { connection, prefix },
    {
      async dropFarLocks(queue, lockDuration) {
        for (const { id } of await queue.getActive()) {
          const lock = `${prefix}:${queue.name}:${id}:lock`;
          // Redis keeps the moment of a key's end, by its own clock.
          if ((await connection.pttl(lock)) > 2 * lockDuration) await connection.del(lock);
        }
      },
      reconnect() {
        if (connection.status === "ready") connection.disconnect(true);
      },
      close: () => connection.disconnect(),
    },
  );
}

interface Store {
  dropFarLocks(queue: QueueHandle, lockDuration: number): Promise<void>;
  reconnect(): void;
  close(): void;
}

function createBackend<B extends IQueueBackend, C>(
  factory: BackendFactory<B, C>,
  options: { connection: C; prefix?: string },
  store: Store,
): Backend {
  const classes = withBackend(factory);
  return {
    openQueue: (name) => new classes.Queue<JobData, RunOutcome>(name, options),
    openWorker: (name, process, more) =>
      new classes.Worker<JobData, RunOutcome>(name, process, { ...more, ...options }),
    async dropFarTimes(queue, lockDuration) {
      // Nothing waits longer than a minute, so a repetition is at worst a little early.
      await queue.promoteJobs();
      await store.dropFarLocks(queue, lockDuration);
    },
    reconnect: () => store.reconnect(),
    close: () => store.close(),
  };
}
