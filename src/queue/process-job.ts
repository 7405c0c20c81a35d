import type { Processor } from "bullmq";
import type { Clock } from "../clock.ts";
import { AppError } from "../errors.ts";
import type { Log } from "../log.ts";
import type { JobData, Outcome } from "./backend.ts";
import { backoff } from "./backoff.ts";
import { isResting, type RunRecord } from "./run-record.ts";
import type { Worker } from "./worker.ts";

/** Makes a worker's run into what BullMQ calls for each of its jobs. */
export function createProcessor<Context>(
  worker: Worker<Context>,
  context: Context,
  record: RunRecord,
  { log, clock }: { log: Log; clock: Clock },
): Processor<JobData, Outcome> {
  return async (job, _token, signal) => {
    record.alive = true;
    // Another process, where it does not fail, asked for this run.
    if (job.name === "every" && isResting(record, clock)) return "held back";
    const jobLog = log.child({ worker: worker.name, job: job.id });
    record.running += 1;
    try {
      await worker.run(context, {
        key: job.data.key,
        attempt: job.attemptsMade + 1,
        signal: signal ?? new AbortController().signal,
        log: jobLog,
      });
      record.failures = 0;
      record.restsUntil = 0;
      return "done";
    } catch (err) {
      // A worker that runs each second would otherwise fail, and say so, each second.
      record.failures += 1;
      record.restsUntil = clock.monotonic() + backoff(record.failures);
      const level = err instanceof AppError ? "warn" : "error";
      jobLog[level]({ err, failures: record.failures }, "a run failed and will be repeated");
      throw err;
    } finally {
      record.running -= 1;
      record.alive = true;
    }
  };
}
