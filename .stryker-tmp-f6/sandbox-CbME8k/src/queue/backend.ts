// @ts-nocheck
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
import type { Database } from "../database/database.ts";
import { createCalmPostgresBackend } from "./calm-postgres.ts";

export interface JobData {
  key?: string;
}

/** What a run says of itself: a run that was due but held back is not one. */
export type Outcome = "done" | "held back";

type JobQueue = Queue<JobData, Outcome>;
type JobWorker = Worker<JobData, Outcome>;

/** What the rest of this folder uses of BullMQ's queue, whichever backend keeps it. */
export interface QueueHandle extends Pick<
  JobQueue,
  | "add"
  | "upsertJobScheduler"
  | "removeJobScheduler"
  | "setGlobalConcurrency"
  | "removeGlobalConcurrency"
  | "getJobCounts"
  | "getCompleted"
  | "getFailed"
  | "waitUntilReady"
  | "close"
> {
  on(event: "error", listener: (error: Error) => void): unknown;
}

export interface WorkerHandle extends Pick<JobWorker, "close" | "cancelAllJobs" | "waitUntilReady"> {
  on(event: "error", listener: (error: Error) => void): unknown;
}

/** Where jobs are kept. The only maker of BullMQ's objects. */
export interface Backend {
  openQueue(name: string): QueueHandle;
  openWorker(
    name: string,
    process: Processor<JobData, Outcome>,
    options: Omit<WorkerOptions, "connection">,
  ): WorkerHandle;
  close(): void;
}

export async function openPostgresBackend(database: Database): Promise<Backend> {
  await migrateQueues(database);
  // The same pool: the two descriptions of its overloads differ only in what BullMQ never calls.
  const connection = database.pool as PgPool;
  return createBackend(createCalmPostgresBackend, { connection }, () => {});
}

/** BullMQ's own tables, in the schema bullmq. Safe to repeat, and from several processes. */
export async function migrateQueues(database: Database): Promise<void> {
  const client = await database.pool.connect();
  try {
    await runMigrations(client);
  } finally {
    client.release();
  }
}

/** `prefix` separates what shares one Redis. */
export function openRedisBackend(url: string, prefix: string): Backend {
  // BullMQ asks for null: a command waits for the connection instead of failing.
  const connection = new Redis(url, { maxRetriesPerRequest: null });
  // Each queue and worker on the connection reports its errors; without a listener the event would end the process.
  connection.on("error", () => {});
  return createBackend(createRedisBackend, { connection, prefix }, () => connection.disconnect());
}

function createBackend<B extends IQueueBackend, C>(
  factory: BackendFactory<B, C>,
  options: { connection: C; prefix?: string },
  close: () => void,
): Backend {
  const classes = withBackend(factory);
  return {
    openQueue: (name) => new classes.Queue<JobData, Outcome>(name, options),
    openWorker: (name, process, more) =>
      new classes.Worker<JobData, Outcome>(name, process, { ...more, ...options }),
    close,
  };
}
