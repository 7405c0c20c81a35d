import { exponentialBackoff, withTimeout } from "../async.ts";
import type { Clock } from "../clock.ts";
import type { AppError } from "../errors.ts";
import type { Log } from "../log.ts";
import { currentSpan } from "../spans.ts";
import type { WorkerHandle } from "./backend.ts";
import { createRunRecord, failurePauses } from "./rest-after-failure.ts";
import { addJob, type QueueHost } from "./queues.ts";
import { createProcessor, runOnSchedule } from "./run-on-schedule.ts";
import { usualLimits, watchWorkers, type WatchLimits, type WorkerStatus } from "./watch-workers.ts";
import { sweepDue, sweepEvery } from "./sweep.ts";
import { intervalOf, type IdWorker, type Job, type Worker } from "./worker.ts";

export interface RunningWorkers {
  /** The status of each worker in this process. */
  status: () => WorkerStatus[];
  /** Accepts no more jobs, waits for running ones, aborts them after 4 s, and returns after at most 5 s. */
  close(): Promise<void>;
}

/** Milliseconds for runs to finish when the process stops, and then to react to the abort signal. */
const grace = { finish: 4_000, abort: 800 };

/** Milliseconds between repairs of what a queue may have lost; within the process, only a set clock can lose anything. */
const remindEvery = { elsewhere: 20_000, within: 60_000 };

export interface WorkerOptions {
  log: Log;
  clock: Clock;
  /** Called when a worker has stopped permanently: the process should end, for a supervisor to restart it. */
  onFatal?: (error: AppError) => void;
  /**
   * A dead process's job is taken over after at most `lockDuration` plus twice `stalledInterval`, because it is first
   * marked. Milliseconds.
   */
  takeover?: { lockDuration: number; stalledInterval: number };
  limits?: WatchLimits;
}

/**
 * At most a minute until a takeover. Within the process, a dead process's jobs are released at the start, which leaves
 * only runs from before a halt.
 */
const usualTakeover = {
  elsewhere: { lockDuration: 15_000, stalledInterval: 5_000 },
  within: { lockDuration: 15_000, stalledInterval: 20_000 },
};

/** Seconds after which a worker without notifications looks for a job. */
const lookEvery = { elsewhere: 5, within: 60 };

/** Runs these workers in this process; any number of processes can run the same ones. */
export async function startWorkers<Context>(
  queues: QueueHost,
  workers: readonly (Worker<Context> | IdWorker<Context>)[],
  context: Context,
  options: WorkerOptions,
): Promise<RunningWorkers> {
  const opening = workers.map((worker) => openWorker(queues, worker, context, options));
  const opened = await queues.untilOpen(Promise.all(opening)).catch((error: unknown) => {
    // Connections that are open, or still opening, are useless now.
    for (const each of opening) void each.then(abandon, () => {});
    throw error;
  });
  const { log, clock, limits = queues.alone ? usualLimits.within : usualLimits.elsewhere } = options;
  const onFatal = options.onFatal ?? ((error) => log.fatal({ err: error }, error.message));
  const watch = watchWorkers(opened, { log, clock, onFatal, limits });
  const swept = opened.flatMap(({ swept }) => swept ?? []);
  const sweep = swept.length > 0 ? sweepDue({ swept, context, database: queues.database, log }) : undefined;
  return {
    status: watch.status,
    async close() {
      watch.stop();
      sweep?.stop();
      for (const worker of opened) worker.stop();
      await closeAll(opened.map((worker) => worker.handle()));
    },
  };
}

async function openWorker<Context>(
  queues: QueueHost,
  worker: Worker<Context> | IdWorker<Context>,
  context: Context,
  { log, clock, ...options }: WorkerOptions,
) {
  const { name } = worker;
  const isById = "findDue" in worker;
  const every = isById ? sweepEvery : intervalOf(worker, context);
  const { isDue, hasNews }: Pick<Worker<Context>, "isDue" | "hasNews"> = isById ? {} : worker;
  const place = queues.alone ? "within" : "elsewhere";
  const takeover = options.takeover ?? usualTakeover[place];
  const queue = queues.queueOf(name);
  const record = createRunRecord();
  const run = isById ? takeTurns(queues, worker) : (given: Context, job: Job) => worker.run(given, job);
  const processJob = createProcessor({ name, run }, context, record, { log, clock });
  const open = () => {
    const handle = queues.backend.openWorker(name, processJob, {
      concurrency: isById ? worker.concurrency : 1,
      ...(isById && worker.limiter && { limiter: worker.limiter }),
      ...takeover,
      drainDelay: lookEvery[place],
      // A job that survived several crashes still has to run: the rows say whether there is anything to do.
      maxStalledCount: 100,
      settings: { backoffStrategy: (failures) => exponentialBackoff(failures, failurePauses) },
    });
    handle.on("error", (err) => queues.reportError(err, name));
    return handle;
  };
  const remind = () => queues.backend.dropFarTimes(queue, takeover.lockDuration);
  await remind();
  let handle: WorkerHandle = open();
  await handle.waitUntilReady().catch((error: unknown) => {
    closeUnawaited(handle);
    throw error;
  });
  const reminder = setInterval(() => void remind().catch(() => {}), remindEvery[place]).unref();
  const schedule =
    isById || every === undefined
      ? undefined
      : runOnSchedule({
          queue,
          every,
          isDue: isDue && (() => isDue(context)),
          hasNews: hasNews && (() => hasNews(context)),
          record,
          alone: queues.alone,
          clock,
          log: log.child({ worker: name }),
        });
  return {
    name,
    every,
    record,
    swept: isById ? { worker, queue, record } : undefined,
    handle: () => handle,
    reconnect() {
      queues.backend.reconnect();
      // Without waiting for running jobs, which others will take over.
      handle.close(true).catch(() => {});
      handle = open();
    },
    stop() {
      clearInterval(reminder);
      schedule?.stop();
    },
  };
}

/** A job does a little of its id's work; the rest goes to the end of the queue, so that others get their turn. */
function takeTurns<Context>(queues: QueueHost, worker: IdWorker<Context>) {
  const { name } = worker;
  return async (context: Context, job: Job): Promise<void> => {
    // A job from an earlier version has no id; the sweep has already added the due ones.
    if (job.key === undefined) return;
    const { key } = job;
    const more = await worker.run(context, key, job);
    // In a trace of its own; this one would otherwise go on for as long as the id has work.
    await currentSpan.run(undefined, async () => {
      if (more === 0) await addJob(queues.queueOf(name), key);
      else if (more !== undefined) setTimeout(() => void queues.wake(name, key), more).unref();
    });
  };
}

function abandon(worker: { stop: () => void; handle: () => WorkerHandle }): void {
  worker.stop();
  closeUnawaited(worker.handle());
}

/** In order, so that its connections return to the pool. */
function closeUnawaited(handle: WorkerHandle): void {
  handle.close().catch(() => {});
}

async function closeAll(running: WorkerHandle[]): Promise<void> {
  const closed = Promise.all(running.map((handle) => handle.close())).then(() => true);
  if (await withTimeout(closed, grace.finish, () => false)) return;
  for (const handle of running) handle.cancelAllJobs("the process is stopping");
  await withTimeout(closed, grace.abort, () => {});
}
