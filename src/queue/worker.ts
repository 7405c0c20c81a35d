import type { RawBuilder } from "kysely";
import type { Log } from "../log.ts";

/**
 * A background task as data: a line of workers/index.ts. Its name is its queue's, without ":". A process runs one job of it at a
 * time, and of the jobs without a key, or with the same one, the queue admits one among all processes. But a process that is cut off for longer
 * than its lock lasts may still be running when another takes over. What must hold even then is decided in the database:
 * compare-and-set, a lease, a unique key.
 */
export interface Worker<Context> {
  name: string;
  /** Milliseconds between two runs that nobody asked for, by the settings where it is a function; without it the worker runs only when woken. */
  every?: number | ((this: void, context: Context) => number);
  /**
   * Whether a run would find something to do, told by less than a run costs: asked at each interval, and ever more rarely
   * where nobody else could have made work without waking it. Where it says no, the worker rests, though never for longer
   * than `maxIdleMs`. A wake-up asks nobody.
   */
  isDue?(this: void, context: Context): Promise<boolean>;
  /** What makes a run due too, and costs nothing to ask: asked at each interval, before `isDue`. */
  hasNews?(this: void, context: Context): boolean;
  /** Reads the rows and does what is due. An error is logged and the run repeated, later each time. */
  run(context: Context, job: Job): Promise<unknown>;
}

/**
 * Work that is done for one id at a time, such as a room's: rows say what is due, and each id that has some has a job of its
 * own. No two processes run the same id at once, while the queue remembers its jobs: what must hold even then is decided in
 * the database, as for any worker.
 */
export interface IdWorker<Context> {
  name: string;
  /** Ids that one process works on at once. */
  concurrency: number;
  /** So many jobs begin within so many milliseconds, in all processes together. */
  limiter?: { max: number; duration: number };
  /** A query of at most so many ids that something is due for, the most urgent first: whoever writes rows wakes by their id, and the sweep finds what was lost. */
  findDue(this: void, context: Context, most: number): RawBuilder<{ id: string }>;
  /**
   * Works on an id's rows for two seconds at most, and gives the milliseconds until there is more of it to do: with 0 it goes on
   * when the others had their turn. undefined where there is nothing, or where the rows say when. To fail is for mistakes:
   * the id then waits, and wake-ups with it.
   */
  run(context: Context, id: string, job: Job): Promise<number | undefined>;
}

/** Milliseconds between two runs, as the settings have it. */
export function intervalOf<Context>(
  { every }: Pick<Worker<Context>, "every">,
  context: Context,
): number | undefined {
  return typeof every === "function" ? every(context) : every;
}

/** Why a run happens. It carries no data: the rows are the truth, a job only says that there may be something to do. */
export interface Job {
  /** What it was woken for, such as a room's id; undefined for everything. */
  key: string | undefined;
  /** 1 at first, then counting repetitions after errors. */
  attempt: number;
  /** Aborted when the process stops: pass it to whatever may take long. */
  signal: AbortSignal;
  log: Log;
}
