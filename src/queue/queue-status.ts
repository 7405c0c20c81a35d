import type { QueueHandle } from "./backend.ts";

export interface QueueStatus {
  name: string;
  waiting: number;
  active: number;
  /** Repetitions after errors, that wait. */
  delayed: number;
  /** Runs of the last day that were given up. */
  failed: number;
  /** The last run that ended, well or badly. Times are milliseconds since 1970. */
  lastRun: { endedAt: number; duration: number; failed: boolean } | undefined;
  lastError: { at: number; message: string } | undefined;
}

/** While a worker rests after failures, its queue is full of runs that were none: this many are searched. */
const searched = 100;

export async function readStatus(name: string, queue: QueueHandle): Promise<QueueStatus> {
  const [counts, completed, [failure]] = await Promise.all([
    queue.getJobCounts("waiting", "active", "delayed", "failed"),
    queue.getCompleted(0, 0),
    queue.getFailed(0, 0),
  ]);
  const recent =
    completed[0]?.returnvalue === "held back" ? await queue.getCompleted(0, searched) : completed;
  const success = recent.find((job) => job.returnvalue !== "held back");
  const latest = (failure?.finishedOn ?? 0) > (success?.finishedOn ?? 0) ? failure : success;
  return {
    name,
    waiting: counts["waiting"] ?? 0,
    active: counts["active"] ?? 0,
    delayed: counts["delayed"] ?? 0,
    failed: counts["failed"] ?? 0,
    lastRun: latest?.finishedOn
      ? {
          endedAt: latest.finishedOn,
          duration: latest.finishedOn - (latest.processedOn ?? latest.finishedOn),
          failed: latest === failure,
        }
      : undefined,
    lastError: failure?.finishedOn
      ? { at: failure.finishedOn, message: failure.failedReason ?? "unknown" }
      : undefined,
  };
}
