// @ts-nocheck
import { setTimeout as sleep } from "node:timers/promises";
import type { Clock } from "../clock.ts";
import type { Log } from "../log.ts";
import type { QueueHandle, WorkerHandle } from "./backend.ts";
import { backoff, repeatsItself } from "./backoff.ts";
import { createProcessor } from "./process-job.ts";
import { attempts, keepCompleted, keepFailed, type Queues } from "./queues.ts";
import type { Worker } from "./worker.ts";

export interface RunningWorkers {
  /** Takes no more jobs, waits for those that run, aborts them after 4 s, and returns after 5 s at the latest. */
  close(): Promise<void>;
}

/** Milliseconds: what a run gets to finish when the process stops, and then to obey its signal. */
const grace = { finish: 4_000, abort: 800 };

export interface WorkerOptions {
  log: Log;
  clock: Clock;
  /** A job of a process that died is taken over after at most the sum of both. Milliseconds. */
  takeover?: { lockDuration: number; stalledInterval: number };
}

const usualTakeover = { lockDuration: 15_000, stalledInterval: 5_000 };

/** Runs these workers in this process; any number of processes may run the same ones. */
export async function startWorkers<Context>(
  queues: Queues,
  workers: readonly Worker<Context>[],
  context: Context,
  { log, clock, takeover = usualTakeover }: WorkerOptions,
): Promise<RunningWorkers> {
  const running = await Promise.all(
    workers.map(async (worker) => {
      const { name, concurrency = 1 } = worker;
      await settle(queues.queueOf(name), worker);
      const handle = queues.backend.openWorker(name, createProcessor(worker, context, { log, clock }), {
        concurrency,
        ...takeover,
        // A job that outlives several crashes is still worth doing: what it looks at says whether.
        maxStalledCount: 100,
        settings: { backoffStrategy: backoff },
      });
      handle.on("error", (err) => log.warn({ err, worker: name }, "queue error"));
      await handle.waitUntilReady();
      return handle;
    }),
  );
  return { close: () => closeAll(running) };
}

/** What the queue itself must know: when to run, and how many at once among all processes. */
async function settle(queue: QueueHandle, { every, concurrency = 1 }: Worker<never>): Promise<void> {
  if (concurrency === 1) await queue.setGlobalConcurrency(1);
  else await queue.removeGlobalConcurrency();
  if (every === undefined) {
    await queue.removeJobScheduler("every");
    return;
  }
  const retry = repeatsItself(every) ? {} : { attempts, backoff: { type: "custom" } };
  await queue.upsertJobScheduler(
    "every",
    { every },
    {
      name: "every",
      data: {},
      opts: { ...retry, removeOnComplete: keepCompleted, removeOnFail: keepFailed },
    },
  );
}

async function closeAll(running: WorkerHandle[]): Promise<void> {
  const closed = Promise.all(running.map((handle) => handle.close())).then(() => true);
  if (await Promise.race([closed, late(grace.finish)])) return;
  for (const handle of running) handle.cancelAllJobs("the process stops");
  await Promise.race([closed, late(grace.abort)]);
}

function late(milliseconds: number): Promise<boolean> {
  return sleep(milliseconds, false, { ref: false });
}
