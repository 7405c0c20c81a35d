import type { RawBuilder } from "kysely";
import type { Log } from "../log.ts";

/**
 * A background task as data: a line of workers/index.ts. Its name is its queue's, without ":". A process runs one job
 * of it at a time, and the queue admits one job without a key, and one per key, across all processes. But a process
 * that is cut off for longer than its lock may still be running when another takes over, so critical decisions are made
 * in the database: compare-and-set, a lease, a unique key.
 */
export interface Worker<Context> {
  name: string;
  /** Milliseconds between scheduled runs, or a function of the settings; without it the worker runs only when woken. */
  every?: number | ((this: void, context: Context) => number);
  /**
   * Whether a run would find work, if that is cheaper to find out than by running: called at each interval, and less
   * often over time if any new work would have woken the worker. If false, the worker stays idle, but for at most
   * `maxIdleMs`. Not called for a wake-up.
   */
  isDue?(this: void, context: Context): Promise<boolean>;
  /** Also makes a run due, and is free to call: called at each interval, before `isDue`. */
  hasNews?(this: void, context: Context): boolean;
  /** Reads the rows and does the due work. An error is logged and the run retried, later each time. */
  run(context: Context, job: Job): Promise<unknown>;
}

/**
 * Work done for one id at a time, such as a room's: rows say what is due, and each id with due rows has its own job.
 * Two processes do not run the same id at once while the queue has its jobs; as for any worker, critical decisions are
 * made in the database.
 */
export interface IdWorker<Context> {
  name: string;
  /** Ids that a process works on at the same time. */
  concurrency: number;
  /** Maximum jobs to start within that many milliseconds, in all processes together. */
  limiter?: { max: number; duration: number };
  /** Query for at most that many ids with due work, the most urgent first. The sweep uses it to find lost wake-ups. */
  findDue(this: void, context: Context, most: number): RawBuilder<{ id: string }>;
  /**
   * Works on an id's rows for at most two seconds, and returns the milliseconds until there is more to do; 0 continues
   * after the others' turns. undefined if there is nothing, or if the rows say when. Throw only for bugs: the id is
   * then delayed, and its wake-ups with it.
   */
  run(context: Context, id: string, job: Job): Promise<number | undefined>;
}

/** Milliseconds between two runs, from the settings. */
export function intervalOf<Context>(
  { every }: Pick<Worker<Context>, "every">,
  context: Context,
): number | undefined {
  return typeof every === "function" ? every(context) : every;
}

/** What woke the worker. It names at most a key; the rows say what is due. */
export interface Job {
  /** The key it was woken with, such as a room's id; undefined for everything. */
  key: string | undefined;
  /** 1 at first, then counts retries after errors. */
  attempt: number;
  /** Aborted when the process stops: pass it to anything that may take long. */
  signal: AbortSignal;
  log: Log;
}
