import { exponentialBackoff } from "../async.ts";
import type { Clock } from "../clock.ts";

/** What this process knows of one worker's runs. Times are monotonic milliseconds: a clock that is set changes nothing. */
export interface RunRecord {
  /** Runs that began in this process. */
  begun: number;
  /** Those of them that have not ended. */
  running: number;
  /** Since the watch last checked: a run began or ended here, one ended elsewhere, or the queue said that nothing is due. */
  alive: boolean;
  /** Why it would not run, if it does not. */
  obstacle: string;
  /** When the run ended that the queue last showed, in whichever process. */
  lastSeen?: number;
  /** How often it failed in a row, and until when its interval therefore rests. */
  failures: number;
  restsUntil: number;
}

/** Why a worker does not run, as far as can be told. */
export const noAnswer = "its queue does not answer";
export const notTaken = "its queue answers, but no process takes its jobs";

export function createRunRecord(): RunRecord {
  return { begun: 0, running: 0, alive: true, obstacle: noAnswer, failures: 0, restsUntil: 0 };
}

/** That another process runs it, or that nothing is due, says nothing of a run that has begun here. */
export function noteAlive(record: RunRecord): void {
  if (record.running === 0) record.alive = true;
}

export function isResting(record: RunRecord, clock: Clock): boolean {
  return clock.monotonic() < record.restsUntil;
}

/** Milliseconds that a worker rests after a run that failed: twice as long after each in a row. */
export const failurePauses = { first: 1_000, longest: 60_000 };

export function noteFailure(record: RunRecord, clock: Clock): void {
  record.failures += 1;
  record.restsUntil = clock.monotonic() + exponentialBackoff(record.failures, failurePauses);
}

export function noteSuccess(record: RunRecord): void {
  record.failures = 0;
  record.restsUntil = 0;
}
