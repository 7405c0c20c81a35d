import type { Clock } from "../clock.ts";
import { AppError } from "../errors.ts";
import type { Log } from "../log.ts";
import type { RunRecord } from "./rest-after-failure.ts";
import { longestPause } from "./run-on-schedule.ts";

/** Milliseconds. */
export interface WatchLimits {
  /** Between checks. */
  check: number;
  /** A worker overdue by this gets new connections. */
  reconnect: number;
  /** A worker overdue by this ends the process. */
  giveUp: number;
  /** A run of this length ends the process. */
  longestRun: number;
}

/** For queues on a server, which may be lost, and within the process, where only a busy machine delays runs. */
export const usualLimits = {
  elsewhere: { check: 2_000, reconnect: 20_000, giveUp: 60_000, longestRun: 3600_000 },
  within: { check: 2_000, reconnect: 60_000, giveUp: 300_000, longestRun: 3600_000 },
} satisfies Record<string, WatchLimits>;

/** A watched worker. */
export interface Watched {
  name: string;
  /** Milliseconds between two runs; undefined if it runs only when woken, which leaves the runs' length to watch. */
  every: number | undefined;
  record: RunRecord;
  /** Reopens its connections. */
  reconnect: () => void;
}

/** A worker's status, in whole seconds. */
export interface WorkerStatus {
  name: string;
  /** Since its last run, or since a run was last unnecessary. */
  idle: number;
  /** Since its current run began; 0 between runs. */
  running: number;
  /** Overdue, or in a run that does not end. */
  late: boolean;
}

/** The watch's record of a worker; in milliseconds. */
interface WorkerState {
  idle: number;
  running: number;
  reconnected: boolean;
  /** The run's length when it was last logged. */
  loggedAt: number;
}

/** Milliseconds between log lines about a run that does not end. */
const logEvery = 300_000;

/**
 * Makes sure that no worker stops silently: one that does not run gets new connections, and if that does not help, the
 * process ends with the reason, for a supervisor to restart it. Counts only the time in which this process ran, so that
 * a halt of the process is not blamed on its workers.
 */
export function watchWorkers(
  workers: readonly Watched[],
  {
    clock,
    log,
    onFatal,
    limits,
  }: { clock: Clock; log: Log; onFatal: (error: AppError) => void; limits: WatchLimits },
): { status: () => WorkerStatus[]; stop: () => void } {
  const sights = new Map(
    workers.map((worker): [Watched, WorkerState] => [
      worker,
      { idle: 0, running: 0, reconnected: false, loggedAt: 0 },
    ]),
  );
  let checkedAt = clock.monotonic();
  let over = false;
  const giveUp = (message: string) => {
    if (over) return;
    over = true;
    onFatal(
      new AppError(
        "database_unavailable",
        `${message} Castellan is shutting down so that it can be restarted.`,
      ),
    );
  };

  const check = () => {
    const now = clock.monotonic();
    const passed = Math.min(now - checkedAt, 2 * limits.check);
    checkedAt = now;
    for (const [worker, sight] of sights) {
      follow(worker.record, sight, passed);
      const { name, reconnect } = worker;
      const overdue = overdueBy(worker, sight);
      if (sight.running > limits.longestRun) {
        giveUp(`A run of the worker ${name} has not ended for ${toSeconds(sight.running)} s.`);
      } else if (sight.running - sight.loggedAt > logEvery) {
        sight.loggedAt = sight.running;
        log.warn({ worker: name, seconds: toSeconds(sight.running) }, "a run takes long");
      }
      if (overdue > limits.giveUp) {
        giveUp(`The worker ${name} has not run for ${toSeconds(sight.idle)} s: ${worker.record.obstacle}.`);
      } else if (overdue > limits.reconnect && !sight.reconnected) {
        sight.reconnected = true;
        log.warn({ worker: name, seconds: toSeconds(sight.idle) }, "a worker does not run: reconnecting it");
        reconnect();
      }
    }
  };
  const timer = setInterval(check, limits.check).unref();
  return {
    status: () =>
      [...sights].map(([worker, sight]) => ({
        name: worker.name,
        idle: toSeconds(sight.idle),
        running: toSeconds(sight.running),
        late: overdueBy(worker, sight) > limits.reconnect || sight.running > limits.longestRun / 2,
      })),
    stop: () => clearInterval(timer),
  };
}

function follow(record: RunRecord, sight: WorkerState, passed: number): void {
  sight.running = record.running > 0 && !record.alive ? sight.running + passed : 0;
  if (sight.running === 0) sight.loggedAt = 0;
  if (record.alive || record.running > 0) {
    sight.idle = 0;
    sight.reconnected = false;
  } else {
    sight.idle += passed;
  }
  record.alive = false;
}

function overdueBy({ every }: Watched, { idle }: WorkerState): number {
  return every === undefined ? 0 : idle - Math.min(every, longestPause);
}

const toSeconds = (milliseconds: number) => Math.round(milliseconds / 1000);
