import { exponentialBackoff } from "../async.ts";
import type { Clock } from "../clock.ts";

/** One worker's runs, as known to this process. Times are monotonic milliseconds, so setting the clock is harmless. */
export interface RunRecord {
  /** Runs started in this process. */
  begun: number;
  /** Those of them that have not ended. */
  running: number;
  /** Since the watch's last check, a run began or ended here or ended elsewhere, or nothing was due. */
  alive: boolean;
  /** Why it would not run, if it does not. */
  obstacle: string;
  /** End of the latest run in the queue's record, in any process. */
  lastSeen?: number;
  /** Failures in a row, and the resulting pause of its interval. */
  failures: number;
  restsUntil: number;
}

/** Possible reasons why a worker does not run. */
export const noAnswer = "its queue does not respond";
export const notTaken = "its queue responds, but no process takes its jobs";

export function createRunRecord(): RunRecord {
  return { begun: 0, running: 0, alive: true, obstacle: noAnswer, failures: 0, restsUntil: 0 };
}

/** A run that has begun here must show itself alive; other processes' runs, or nothing due, are no evidence. */
export function noteAlive(record: RunRecord): void {
  if (record.running === 0) record.alive = true;
}

export function isResting(record: RunRecord, clock: Clock): boolean {
  return clock.monotonic() < record.restsUntil;
}

/** A worker's pause after a failed run, in milliseconds, doubled after each failure in a row. */
export const failurePauses = { first: 1_000, longest: 60_000 };

export function noteFailure(record: RunRecord, clock: Clock): void {
  record.failures += 1;
  record.restsUntil = clock.monotonic() + exponentialBackoff(record.failures, failurePauses);
}

export function noteSuccess(record: RunRecord): void {
  record.failures = 0;
  record.restsUntil = 0;
}
