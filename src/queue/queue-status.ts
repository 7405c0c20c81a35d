import { systemClock } from "../clock.ts";
import type { QueueHandle } from "./backend.ts";

export interface QueueStatus {
  name: string;
  waiting: number;
  active: number;
  /** Delayed retries after errors. */
  delayed: number;
  /** Runs abandoned in the last day. */
  failed: number;
  /** Milliseconds that the oldest job has waited; 0 if none waits. */
  oldestMs: number;
}

export async function readStatus(name: string, queue: QueueHandle): Promise<QueueStatus> {
  const {
    waiting = 0,
    active = 0,
    delayed = 0,
    failed = 0,
  } = await queue.getJobCounts("waiting", "active", "delayed", "failed");
  const [oldest] = waiting === 0 ? [] : await queue.getJobs(["waiting"], 0, 0, true);
  // BullMQ writes the machine's time.
  const oldestMs = oldest ? Math.max(0, systemClock.now() - oldest.timestamp) : 0;
  return { name, waiting, active, delayed, failed, oldestMs };
}
