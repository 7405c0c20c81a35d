import type { Processor } from "bullmq";
import { withTimeout } from "../async.ts";
import { systemClock, type Clock } from "../clock.ts";
import { AppError } from "../errors.ts";
import type { Log } from "../log.ts";
import { report } from "../telemetry.ts";
import type { JobData, QueueHandle, RunOutcome } from "./backend.ts";
import { everything, keepCompleted, keepFailed } from "./queues.ts";
import { explainQueueError } from "./queue-errors.ts";
import {
  isResting,
  noAnswer,
  noteAlive,
  noteFailure,
  noteSuccess,
  notTaken,
  type RunRecord,
} from "./rest-after-failure.ts";
import type { Worker } from "./worker.ts";

/** Milliseconds after which a worker runs even if nothing is due. */
export const maxIdleMs = 60_000;
/** Milliseconds: the maximum time between checks whether a worker that nobody woke has work. */
export const maxPollMs = 5_000;

/** Milliseconds between checks whether a longer interval is over, and before retrying a queue that does not respond. */
export const longestPause = 60_000;
/**
 * Milliseconds until the queue is checked again after a requested run, which another process may have done by then, or
 * after no response, because watchWorkers does not wait a full minute.
 */
const lookAgain = 5_000;
const timeoutMs = 5_000;
/** Milliseconds after which a queue counts as unresponsive. */
const promptly = 1_000;

export interface Schedule {
  queue: QueueHandle;
  /** Milliseconds between two runs. */
  every: number;
  isDue?: (() => Promise<boolean>) | undefined;
  hasNews?: (() => boolean) | undefined;
  record: RunRecord;
  /** No other process runs this worker. */
  alone: boolean;
  clock: Clock;
  log: Log;
}

/**
 * Requests a run now and at each interval with this process's own timer: nothing is lost with a queue, and setting the
 * clock has no effect. Each process that runs the worker has such a timer, but together they request one run, no sooner
 * than the interval after the last one.
 */
export function runOnSchedule(schedule: Schedule): { stop: () => void } {
  const { every, record, clock, log, hasNews } = schedule;
  // If a worker runs only because of news, nothing is due without them.
  const isDue = schedule.isDue ?? (hasNews && (async () => false));
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  let askedAt = -Infinity;
  let pause = every;
  /** Checks in a row without work, the time of the last one, and the number of runs by then. */
  let quiet = { answers: 0, at: -Infinity, begun: 0 };
  /**
   * Code that creates work wakes the worker through the queue, in any process. Polling less often therefore misses
   * nothing, and a lost wake-up costs seconds. Half an interval, because a timer may fire slightly early.
   */
  const isQuiet = () =>
    record.begun === quiet.begun &&
    clock.monotonic() - quiet.at + every / 2 < Math.min(every * 2 ** (quiet.answers - 1), maxPollMs);
  /** The number of runs when news last arrived: only a later run has read them. */
  let newsAt = -1;
  const hasUnreadNews = () => {
    if (hasNews?.()) newsAt = record.begun;
    return newsAt === record.begun;
  };
  const hasNothingToDo = async () => {
    const mayRest = isDue && record.failures === 0 && clock.monotonic() - askedAt < maxIdleMs;
    if (!mayRest || hasUnreadNews()) return false;
    if (isQuiet()) return true;
    const { begun } = record;
    // A run that fails the same way will report it.
    if (await isDue().catch(() => true)) return false;
    const answers = begun === quiet.begun ? quiet.answers + 1 : 1;
    quiet = { answers, at: clock.monotonic(), begun };
    return true;
  };
  const askIfDue = async () => {
    pause = Math.min(every, lookAgain);
    const isHeld = isResting(record, clock) || (await hasNothingToDo());
    if (isHeld) noteAlive(record);
    const isAsked = !isHeld && (await askForRun(schedule));
    if (!isHeld) askedAt = clock.monotonic();
    if (!isAsked || schedule.alone) pause = Math.min(every, longestPause);
  };
  const ask = async () => {
    const began = clock.monotonic();
    const asking = askIfDue();
    const answered = asking.then(() => notTaken);
    record.obstacle = await withTimeout(answered, promptly, () => noAnswer).catch(explain);
    await withTimeout(asking, timeoutMs, () => {}).catch(() => {});
    if (stopped) return;
    const next = pause - (clock.monotonic() - began);
    timer = setTimeout(() => void ask(), Math.max(next, 1));
  };
  const explain = (err: unknown) => {
    if (!stopped) log.debug({ err }, "could not request a run; retrying at the next interval");
    return explainQueueError(err) ?? noAnswer;
  };
  void ask();
  return {
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}

/** False if the last run was too recent. */
async function askForRun(schedule: Schedule): Promise<boolean> {
  const { queue, every, record, alone } = schedule;
  if ((!alone || every > longestPause) && !(await isDue(schedule))) {
    noteAlive(record);
    return false;
  }
  await queue.add(
    "every",
    {},
    {
      // Same job as a wake-up without a key, so that two processes do not run at once.
      deduplication: { id: everything },
      // Other processes, and this one after a restart, need the record of the last run.
      removeOnComplete: { age: Math.max(keepCompleted.age, (2 * every) / 1000) },
      removeOnFail: keepFailed,
    },
  );
  if (alone) return true;
  // Another process is running it, for any length of time; its job's lock shows whether that process is alive.
  const { active = 0 } = await queue.getJobCounts("active");
  if (active > 0) noteAlive(record);
  return true;
}

/**
 * By the queue's record of the last run; one in the future, from a clock that was set back, is ignored. A changed
 * record shows that the worker runs in some process: the one that requests a run may not be the one that gets the job.
 * That check needs no clock.
 */
async function isDue({ queue, every, record }: Schedule): Promise<boolean> {
  const [last] = await queue.getCompleted(0, 0);
  if (last?.finishedOn === undefined) return true;
  if (last.finishedOn !== record.lastSeen) noteAlive(record);
  record.lastSeen = last.finishedOn;
  // BullMQ writes the machine's time, whatever time the workers use.
  const age = systemClock.now() - last.finishedOn;
  if (age < -1000) await last.remove();
  return age < -1000 || age >= every * 0.9;
}

/** Wraps a worker's run as the function that BullMQ calls for each job. */
export function createProcessor<Context>(
  worker: Pick<Worker<Context>, "name" | "run">,
  context: Context,
  record: RunRecord,
  { log, clock }: { log: Log; clock: Clock },
): Processor<JobData, RunOutcome> {
  return async (job, _token, signal) => {
    record.alive = true;
    // Another process, where the worker does not fail, requested this run.
    if (job.name === "every" && isResting(record, clock)) return "held back";
    const jobLog = log.child({ worker: worker.name, job: job.id });
    record.begun += 1;
    record.running += 1;
    const began = clock.monotonic();
    let result: "done" | "failed" = "failed";
    try {
      await worker.run(context, {
        key: job.data.key,
        attempt: job.attemptsMade + 1,
        signal: signal ?? new AbortController().signal,
        log: jobLog,
      });
      noteSuccess(record);
      result = "done";
      return result;
    } catch (err) {
      // Otherwise a worker that runs every second would fail and log it every second.
      noteFailure(record, clock);
      const level = err instanceof AppError ? "warn" : "error";
      jobLog[level]({ err, failures: record.failures }, "a run failed and will be retried");
      throw err;
    } finally {
      record.running -= 1;
      record.alive = true;
      const seconds = (clock.monotonic() - began) / 1000;
      report("castellan:job.ended", { worker: worker.name, result, seconds });
    }
  };
}
