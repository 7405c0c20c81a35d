import type { Processor } from "bullmq";
import { exponentialBackoff } from "../async.ts";
import type { Clock } from "../clock.ts";
import { AppError } from "../errors.ts";
import type { Log } from "../log.ts";
import type { JobData, RunOutcome } from "./backend.ts";
import type { Worker } from "./worker.ts";

/** What this process knows of one worker's runs. Times are monotonic milliseconds: a clock that is set changes nothing. */
export interface RunRecord {
  /** Runs of this process that have not ended. */
  running: number;
  /** Since the watch last checked: a run began or ended here, or the queue said that nothing is due. */
  alive: boolean;
  /** How often it failed in a row, and until when its interval therefore rests. */
  failures: number;
  restsUntil: number;
}

export function createRunRecord(): RunRecord {
  return { running: 0, alive: true, failures: 0, restsUntil: 0 };
}

/** That another process runs it, or that nothing is due, says nothing of a run that has begun here. */
export function noteAlive(record: RunRecord): void {
  if (record.running === 0) record.alive = true;
}

export function isResting(record: RunRecord, clock: Clock): boolean {
  return clock.monotonic() < record.restsUntil;
}

/** After a run that failed. */
export const failurePauses = { first: 1_000, longest: 60_000 };

/** Makes a worker's run into what BullMQ calls for each of its jobs. */
export function createProcessor<Context>(
  worker: Worker<Context>,
  context: Context,
  record: RunRecord,
  { log, clock }: { log: Log; clock: Clock },
): Processor<JobData, RunOutcome> {
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
      record.restsUntil = clock.monotonic() + exponentialBackoff(record.failures, failurePauses);
      const level = err instanceof AppError ? "warn" : "error";
      jobLog[level]({ err, failures: record.failures }, "a run failed and will be repeated");
      throw err;
    } finally {
      record.running -= 1;
      record.alive = true;
    }
  };
}
