import { setTimeout as sleep } from "node:timers/promises";
import { withTimeout } from "../async.ts";
import type { Database } from "../database/database.ts";
import { findInstallationId, readInstallationId } from "../database/installation.ts";
import { assertOutsideTransaction } from "../database/transactions.ts";
import { AppError, asAppError } from "../errors.ts";
import type { Log } from "../log.ts";
import type { Backend, QueueHandle } from "./backend.ts";
import { explainQueueError } from "./queue-errors.ts";
import { openPostgresBackend } from "./postgres-backend.ts";
import { readStatus, type QueueStatus } from "./queue-status.ts";
import type { OptionalRedisSettings, RedisSettings } from "./redis-client.ts";

export interface QueueOptions {
  database: Database;
  log: Log;
  /** The settings of the Redis to store jobs in; without REDIS_URL they are in the database. */
  redis?: OptionalRedisSettings;
  /** Separates installations that share one Redis; by default, the installation's id. */
  prefix?: string;
}

export interface Queues<Name extends string = string> extends QueueHost<Name> {
  status(): Promise<QueueStatus[]>;
  /** Problems with the queues' Redis, as sentences; none if the database stores the queues. */
  faults: () => Promise<string[]>;
  close(): Promise<void>;
}

/** For startWorkers. */
export interface QueueHost<Name extends string = string> {
  backend: Backend;
  /** The database with the rows that the jobs are about. */
  database: Database;
  /**
   * Makes the worker run soon, once, even if it is woken several times with the same key before it starts. Waking it
   * during a run leads to one more run. Never fails if the queue is unreachable, because the worker's next run finds
   * the rows. Throws `database_misused` inside a transaction, whose rows are not visible to others yet.
   */
  wake(this: void, name: Name, key?: string): Promise<void>;
  /** No other process can share these queues. */
  alone: boolean;
  /** Throws `database_unavailable` if opening takes too long. */
  untilOpen<T>(opening: Promise<T>): Promise<T>;
  /** Logs a queue's errors, at most one per second. */
  reportError: (error: Error, queue: string) => void;
  queueOf(name: Name): QueueHandle;
}

/** Milliseconds for opening, and for closing an unresponsive queue. A queue within the process can only be slow. */
const openTimeoutMs = { elsewhere: 8_000, within: 60_000 };
const closeTimeoutMs = 2_000;
const tooFar = "The queue does not respond. Check REDIS_URL or DATABASE_URL, and that its server is running.";
const tooBusy = "The queue did not open within a minute: the machine or its disk is too slow.";

/** Milliseconds that a caller waits for a wake-up. */
const wakeTimeoutMs = 2_000;
/** Minimum milliseconds between wake-ups of a worker, because each costs the database more than most work does. */
const wakePause = 200;

export const keepCompleted = { age: 600, count: 100 };
export const keepFailed = { age: 24 * 3600 };
/** Deduplication key of jobs without a key. */
export const everything = "everything";
export const attempts = 8;

/** Opens the queues of these workers, to wake them or read their status. startWorkers runs them. */
export async function openQueues<Name extends string>(
  names: readonly Name[],
  { database, log, redis: { REDIS_URL, ...more } = {}, prefix }: QueueOptions,
): Promise<Queues<Name>> {
  const redis = REDIS_URL === undefined ? undefined : { REDIS_URL, ...more };
  const backend = redis
    ? await openRedis(redis, prefix ?? (await readQueuePrefix(database)), log).catch(throwExplained)
    : await openPostgresBackend(database);
  const reportError = createErrorReport(log);
  const queues = new Map<string, QueueHandle>();
  for (const name of names) {
    const queue = backend.openQueue(name);
    queue.on("error", (err) => reportError(err, name));
    queues.set(name, queue);
  }
  const alone = database.engine === "embedded" && redis === undefined;
  const untilOpen = <T>(opening: Promise<T>): Promise<T> =>
    withTimeout(opening.catch(throwExplained), alone ? openTimeoutMs.within : openTimeoutMs.elsewhere, () => {
      throw new AppError("database_unavailable", alone ? tooBusy : tooFar);
    });
  try {
    await untilOpen(Promise.all([...queues.values()].map((queue) => queue.waitUntilReady())));
  } catch (error) {
    backend.close();
    throw error;
  }

  const queueOf = (name: Name) => {
    const queue = queues.get(name);
    if (!queue) throw new Error(`there is no worker named ${name}`);
    return queue;
  };
  const coalesce = createCoalescing(wakePause);
  let isClosing = false;
  const wake = async (name: Name, key?: string) => {
    assertOutsideTransaction("wake");
    const queue = queueOf(name);
    await coalesce(`${name} ${key ?? ""}`, async () => {
      if (isClosing) return;
      // The worker's next interval covers it.
      const added = addJob(queue, key).catch((err: unknown) => reportError(toError(err), name));
      await withTimeout(added, wakeTimeoutMs, () => {});
    });
  };
  const close = async () => {
    isClosing = true;
    const closed = Promise.allSettled([...queues.values()].map((queue) => queue.close()));
    await withTimeout(closed, closeTimeoutMs, () => {});
    backend.close();
  };
  const status = () => Promise.all([...queues].map(([name, queue]) => readStatus(name, queue)));
  const faults = async () => {
    if (redis === undefined) return [];
    const { examineRedis } = await import("./look-at-redis.ts");
    return (await examineRedis(redis, prefix)).faults;
  };
  return { wake, status, faults, close, backend, database, alone, untilOpen, reportError, queueOf };
}

/** Otherwise two installations on one Redis would take each other's jobs. */
export async function readQueuePrefix(database: Database): Promise<string> {
  return prefixOf(await readInstallationId(database));
}

/** The same without changes; undefined if no queue has been opened yet. */
export async function findQueuePrefix(database: Database): Promise<string | undefined> {
  const id = await findInstallationId(database);
  return id === undefined ? undefined : prefixOf(id);
}

const prefixOf = (installation: string) => `castellan-${installation}`;

/** Loaded only with REDIS_URL. */
async function openRedis(settings: RedisSettings, prefix: string, log: Log): Promise<Backend> {
  const { openRedisBackend } = await import("./redis-backend.ts");
  return openRedisBackend(settings, prefix, log);
}

function throwExplained(error: unknown): never {
  const words = asAppError(error) ? undefined : explainQueueError(error);
  if (words === undefined) throw error;
  throw new AppError("database_unavailable", `The queue cannot be opened: ${words}.`, { cause: error });
}

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}

/**
 * Runs a task that never fails, one run at a time per key, with a pause between runs. Calls in the meantime share one
 * further run, because the current one may have begun before their work existed.
 */
function createCoalescing(pause: number): (key: string, task: () => Promise<void>) => Promise<void> {
  const running = new Map<string, Promise<void>>();
  const next = new Map<string, Promise<void>>();
  const start = (key: string, task: () => Promise<void>) => {
    next.delete(key);
    const run = task();
    const over = run.then(() => sleep(pause, undefined, { ref: false })).then(() => void running.delete(key));
    running.set(key, over);
    return run;
  };
  return (key, task) => {
    const current = running.get(key);
    if (!current) return start(key, task);
    const shared = next.get(key) ?? current.then(() => start(key, task));
    next.set(key, shared);
    return shared;
  };
}

/** A waiting job is not added again; a running one is followed by one more. */
export async function addJob(queue: QueueHandle, key: string | undefined): Promise<void> {
  await queue.add("wake", key === undefined ? {} : { key }, {
    deduplication: { id: key ?? everything, keepLastIfActive: true },
    attempts,
    backoff: { type: "custom" },
    removeOnComplete: keepCompleted,
    removeOnFail: keepFailed,
  });
}

/** Milliseconds in which repetitions of an error are logged as one line. */
const quietFor = 1_000;
/** The same for errors that are explained in words. */
const quietForKnown = 60_000;
/** Maximum number of different errors to remember. */
const maxErrors = 100;

/**
 * Logs queue errors. While a server is down, many connections report the same error repeatedly: it is logged once a
 * second, or once a minute if it is known, with the number of repetitions left out.
 */
function createErrorReport(log: Log): (error: Error, queue: string) => void {
  const seen = new Map<string, { at: number; more: number }>();
  return (err, queue) => {
    const now = performance.now();
    const words = explainQueueError(err);
    const key = words ?? err.message;
    const last = seen.get(key);
    if (last && now - last.at < (words === undefined ? quietFor : quietForKnown)) {
      last.more += 1;
      return;
    }
    if (seen.size >= maxErrors) seen.clear();
    seen.set(key, { at: now, more: 0 });
    // The stack adds nothing to the words.
    const what = words === undefined ? { err } : { error: words };
    log.warn({ ...what, queue, ...(last?.more && { leftOut: last.more }) }, "queue error");
  };
}
