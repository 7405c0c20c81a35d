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

/** Milliseconds after which a worker runs though it says that nothing is due. */
export const maxIdleMs = 60_000;
/** Milliseconds: whether a worker that nobody woke has something to do is asked at least this often. */
export const maxPollMs = 5_000;

/** Milliseconds: whether a longer interval is over is checked this often; and a queue that answers later is asked again. */
export const longestPause = 60_000;
/**
 * Milliseconds until the queue is asked again after a run was asked for, which another process may have done by then, and after
 * it gave no answer: watchWorkers waits for no whole minute.
 */
const lookAgain = 5_000;
const timeoutMs = 5_000;
/** Milliseconds after which a queue counts as one that does not answer. */
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
 * Asks for a run now and at each interval, by a timer of this process: it needs nothing that a queue might lose, and a
 * clock that is set does not move it. Each process that runs the worker has one; a run is asked for once among them,
 * and not sooner than the interval after the last one.
 */
export function runOnSchedule(schedule: Schedule): { stop: () => void } {
  const { every, record, clock, log, hasNews } = schedule;
  // What news alone make due is not due without them.
  const isDue = schedule.isDue ?? (hasNews && (async () => false));
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  let askedAt = -Infinity;
  let pause = every;
  /** How often in a row nothing was due, when that was said last, and how many runs had begun by then. */
  let quiet = { answers: 0, at: -Infinity, begun: 0 };
  /**
   * Whoever makes work wakes the worker, by the queue, in whichever process: what time makes due is not missed by being asked more
   * rarely, and a wake-up that is lost costs seconds. Half an interval, because a timer may be early by a hair.
   */
  const isQuiet = () =>
    record.begun === quiet.begun &&
    clock.monotonic() - quiet.at + every / 2 < Math.min(every * 2 ** (quiet.answers - 1), maxPollMs);
  /** How many runs had begun when there last were news: only one that began later has read them. */
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
    // A run that meets the same obstacle says so.
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
    if (!stopped) log.debug({ err }, "a run could not be asked for; it is tried at the next interval");
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

/** False where the last run was not long enough ago. */
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
      // With a wake-up for everything it is one job, so that no two processes run at once.
      deduplication: { id: everything },
      // The last run is what the others know of it, also after a restart.
      removeOnComplete: { age: Math.max(keepCompleted.age, (2 * every) / 1000) },
      removeOnFail: keepFailed,
    },
  );
  if (alone) return true;
  // Another process is at it, for as long as it takes: whether it still lives is what the lock of its job says.
  const { active = 0 } = await queue.getJobCounts("active");
  if (active > 0) noteAlive(record);
  return true;
}

/**
 * By the queue's record of the last run; one of the future is of a clock that was set back, and says nothing. A run that
 * ended since the last look shows that the worker runs, in whichever process: the one that asks need not be the one that
 * gets the job. Whether the record changed is seen without a clock.
 */
async function isDue({ queue, every, record }: Schedule): Promise<boolean> {
  const [last] = await queue.getCompleted(0, 0);
  if (last?.finishedOn === undefined) return true;
  if (last.finishedOn !== record.lastSeen) noteAlive(record);
  record.lastSeen = last.finishedOn;
  // BullMQ writes the machine's time, whatever time the workers go by.
  const age = systemClock.now() - last.finishedOn;
  if (age < -1000) await last.remove();
  return age < -1000 || age >= every * 0.9;
}

/** Makes a worker's run into what BullMQ calls for each of its jobs. */
export function createProcessor<Context>(
  worker: Pick<Worker<Context>, "name" | "run">,
  context: Context,
  record: RunRecord,
  { log, clock }: { log: Log; clock: Clock },
): Processor<JobData, RunOutcome> {
  return async (job, _token, signal) => {
    record.alive = true;
    // Another process, where it does not fail, asked for this run.
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
      // A worker that runs each second would otherwise fail, and say so, each second.
      noteFailure(record, clock);
      const level = err instanceof AppError ? "warn" : "error";
      jobLog[level]({ err, failures: record.failures }, "a run failed and will be repeated");
      throw err;
    } finally {
      record.running -= 1;
      record.alive = true;
      const seconds = (clock.monotonic() - began) / 1000;
      report("castellan:job.ended", { worker: worker.name, result, seconds });
    }
  };
}
