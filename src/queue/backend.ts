import {
  withBackend,
  type BackendFactory,
  type IQueueBackend,
  type Processor,
  type Queue,
  type Worker,
  type WorkerOptions,
} from "bullmq";
import { isTraced } from "../spans.ts";
import { queueTelemetry } from "./queue-telemetry.ts";

export interface JobData {
  key?: string;
}

/** The result of a run that was due but postponed after a failure, which does not count as a run. */
export type RunOutcome = "done" | "held back";

type JobQueue = Queue<JobData, RunOutcome>;
type JobWorker = Worker<JobData, RunOutcome>;

/** The parts of BullMQ's queue that this folder uses, for any backend. */
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

/** A store for jobs. */
export interface Backend {
  openQueue(name: string): QueueHandle;
  openWorker(
    name: string,
    process: Processor<JobData, RunOutcome>,
    options: Omit<WorkerOptions, "connection">,
  ): WorkerHandle;
  /**
   * Repairs the effects of a clock that was set back: repetitions that wait for a time far in the future run now, and a
   * dead process's locks that would last longer than `lockDuration` (ms) end now.
   */
  dropFarTimes(queue: QueueHandle, lockDuration: number): Promise<void>;
  /** Reopens connections that may be dead unnoticed. */
  reconnect(): void;
  close(): void;
}

/** Operations that only the store itself can provide. */
interface Store {
  dropFarLocks(queue: QueueHandle, lockDuration: number): Promise<void>;
  reconnect(): void;
  close(): void;
}

/** The only code that creates BullMQ's objects. */
export function createBackend<B extends IQueueBackend, C>(
  factory: BackendFactory<B, C>,
  place: { connection: C; prefix?: string },
  store: Store,
): Backend {
  const classes = withBackend(factory);
  const options = { ...place, ...(isTraced() && { telemetry: queueTelemetry }) };
  return {
    openQueue: (name) => new classes.Queue<JobData, RunOutcome>(name, options),
    openWorker: (name, process, more) =>
      new classes.Worker<JobData, RunOutcome>(name, process, { ...more, ...options }),
    async dropFarTimes(queue, lockDuration) {
      // No delay is longer than a minute, so a repetition is at worst slightly early.
      await queue.promoteJobs();
      await store.dropFarLocks(queue, lockDuration);
    },
    reconnect: () => store.reconnect(),
    close: () => store.close(),
  };
}
