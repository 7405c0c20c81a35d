// @ts-nocheck
import type { Processor } from "bullmq";
import type { Clock } from "../clock.ts";
import { AppError } from "../errors.ts";
import type { Log } from "../log.ts";
import type { JobData, Outcome } from "./backend.ts";
import { backoff, repeatsItself } from "./backoff.ts";
import type { Worker } from "./worker.ts";

/** Makes a worker's run into what BullMQ calls for each of its jobs. */
export function createProcessor<Context>(
  worker: Worker<Context>,
  context: Context,
  { log, clock }: { log: Log; clock: Clock },
): Processor<JobData, Outcome> {
  const quick = repeatsItself(worker.every);
  let failures = 0;
  let heldBackUntil = 0;
  return async (job, _token, signal) => {
    const scheduled = job.name === "every";
    if (scheduled && quick && clock.now() < heldBackUntil) return "held back";
    const jobLog = log.child({ worker: worker.name, job: job.id });
    try {
      await worker.run(context, {
        key: job.data.key,
        attempt: job.attemptsMade + 1,
        signal: signal ?? new AbortController().signal,
        log: jobLog,
      });
      failures = 0;
      heldBackUntil = 0;
      return "done";
    } catch (err) {
      // A worker that runs each second would otherwise fail, and say so, each second.
      failures += 1;
      heldBackUntil = clock.now() + backoff(failures);
      const level = err instanceof AppError ? "warn" : "error";
      jobLog[level]({ err, failures }, "a run failed and will be repeated");
      throw err;
    }
  };
}
