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

export interface QueueOptions {
  database: Database;
  log: Log;
  /** Keeps the jobs in this Redis; without it they are in the database. */
  redisUrl?: string | undefined;
  /** Separates what shares one Redis: by the installation, where nothing else is said. */
  prefix?: string;
}

export interface Queues<Name extends string = string> extends QueueHost<Name> {
  status(): Promise<QueueStatus[]>;
  /** What is wrong with the Redis that keeps them, in sentences; nothing where the database does. */
  faults: () => Promise<string[]>;
  close(): Promise<void>;
}

/** What startWorkers runs them with. */
export interface QueueHost<Name extends string = string> {
  backend: Backend;
  /** In which the rows are that the jobs are about. */
  database: Database;
  /**
   * Lets the worker run soon, once, however often it is woken with the same key before it starts. Waking it
   * during a run leads to one more run after it. Never fails because the queue is out of reach: rows are found at the
   * worker's next run. Throws `database_misused` inside a transaction, whose rows nobody else could see yet.
   */
  wake(this: void, name: Name, key?: string): Promise<void>;
  /** No other process can share these queues. */
  alone: boolean;
  /** Throws `database_unavailable` when opening takes too long. */
  untilOpen<T>(opening: Promise<T>): Promise<T>;
  /** Logs what a queue reports, not more often than once a second. */
  reportError: (error: Error, queue: string) => void;
  queueOf(name: Name): QueueHandle;
}

/** Milliseconds that opening may take, and closing what does not answer. A queue within the process only ever is slow. */
const openTimeoutMs = { elsewhere: 8_000, within: 60_000 };
const closeTimeoutMs = 2_000;
const tooFar = "The queue does not answer. Check REDIS_URL or DATABASE_URL, and that its server runs.";
const tooBusy = "The queue did not open within a minute: the machine is too busy, or its disk too slow.";

/** Milliseconds after which nobody waits for a wake-up any longer. */
const wakeTimeoutMs = 2_000;
/** Milliseconds between two wake-ups of one worker by this process: each costs the database more than most of what it tells. */
const wakePause = 200;

export const keepCompleted = { age: 600, count: 100 };
export const keepFailed = { age: 24 * 3600 };
/** What a job without a key is added once by. */
export const everything = "everything";
export const attempts = 8;

/** Opens the queues of these workers, to wake them or to read how they are. Running them is startWorkers' part. */
export async function openQueues<Name extends string>(
  names: readonly Name[],
  { database, log, redisUrl, prefix }: QueueOptions,
): Promise<Queues<Name>> {
  const backend = redisUrl
    ? await openRedis(redisUrl, prefix ?? (await readQueuePrefix(database)), log).catch(throwExplained)
    : await openPostgresBackend(database);
  const reportError = createErrorReport(log);
  const queues = new Map<string, QueueHandle>();
  for (const name of names) {
    const queue = backend.openQueue(name);
    queue.on("error", (err) => reportError(err, name));
    queues.set(name, queue);
  }
  const alone = database.engine === "embedded" && redisUrl === undefined;
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
      // It runs at its next interval.
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
    if (redisUrl === undefined) return [];
    const { examineRedis } = await import("./look-at-redis.ts");
    return (await examineRedis(redisUrl, prefix)).faults;
  };
  return { wake, status, faults, close, backend, database, alone, untilOpen, reportError, queueOf };
}

/** Two installations on one Redis would take each other's jobs. */
export async function readQueuePrefix(database: Database): Promise<string> {
  return prefixOf(await readInstallationId(database));
}

/** The same for what changes nothing; undefined where no queue was opened yet. */
export async function findQueuePrefix(database: Database): Promise<string | undefined> {
  const id = await findInstallationId(database);
  return id === undefined ? undefined : prefixOf(id);
}

const prefixOf = (installation: string) => `castellan-${installation}`;

/** Who sets no REDIS_URL does not load what speaks to one. */
async function openRedis(url: string, prefix: string, log: Log): Promise<Backend> {
  const { openRedisBackend } = await import("./redis-backend.ts");
  return openRedisBackend(url, prefix, log);
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
 * Runs a task that never fails once at a time for each key, and not again within the pause. Whoever asks meanwhile shares
 * one more run after it, for the running one may have begun before what they ask for was there.
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

/** One that waits is not added again; one that runs is followed by one more. */
export async function addJob(queue: QueueHandle, key: string | undefined): Promise<void> {
  await queue.add("wake", key === undefined ? {} : { key }, {
    deduplication: { id: key ?? everything, keepLastIfActive: true },
    attempts,
    backoff: { type: "custom" },
    removeOnComplete: keepCompleted,
    removeOnFail: keepFailed,
  });
}

/** Milliseconds in which the same error is one line. */
const quietFor = 1_000;
/** What is known in words needs no more lines than that. */
const quietForKnown = 60_000;
/** Different errors that are remembered. */
const maxErrors = 100;

/**
 * Logs errors of queues. While a server is away, each of many connections reports the same one again and again: it is logged
 * once a second, or a minute where it is known, with how often it was left out before.
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
    // A stack says nothing more than the words.
    const what = words === undefined ? { err } : { error: words };
    log.warn({ ...what, queue, ...(last?.more && { leftOut: last.more }) }, "queue error");
  };
}
