import {
  withBackend,
  type BackendFactory,
  type IQueueBackend,
  type Processor,
  type Queue,
  type Worker,
  type WorkerOptions,
} from "bullmq";

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
  | "getJobCounts"
  | "getCompleted"
  | "getJobs"
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

/** Where jobs are stored. */
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

/** What only the store itself can do. */
interface Store {
  dropFarLocks(queue: QueueHandle, lockDuration: number): Promise<void>;
  reconnect(): void;
  close(): void;
}

/** The only maker of BullMQ's objects. */
export function createBackend<B extends IQueueBackend, C>(
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
