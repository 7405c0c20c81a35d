import type { LogLines } from "./log-lines.ts";

/** The only source of time, so that tests can move it. */
export interface Clock {
  /**
   * Whole milliseconds since 1970 by this machine's clock, which may be wrong and may jump. For times that are stored,
   * shown or due at a time of day.
   */
  now(): number;
  /** Milliseconds since an arbitrary moment in this process; never jumps. For durations within the process. */
  monotonic(): number;
}

export const systemClock: Clock = { now: () => Date.now(), monotonic: () => performance.now() };

/** Whole UNIX seconds, the unit of every time in interface.md that is not stated to be milliseconds. */
export function seconds(clock: Pick<Clock, "now">): number {
  return Math.floor(clock.now() / 1000);
}

/** Somebody set the clock, or the machine slept. */
export interface ClockJump {
  /** Time by the clock after the jump, in UNIX milliseconds. */
  at: number;
  /** Size in milliseconds; negative if the clock was set back. */
  by: number;
}

/** Notices when the clock of the machine jumps. */
export interface ClockWatch {
  /** The latest jump since the start of the process. */
  latest(): ClockJump | undefined;
  /** Calls `listener` after each jump, so that owners of stored times can adjust; the returned function unsubscribes. */
  onJump(listener: (jump: ClockJump) => void): () => void;
  /** Checks now, without waiting for the next interval. */
  look(): void;
  close(): Promise<void>;
}

/** Milliseconds; clocks are routinely corrected by smaller steps. */
const minJump = 5_000;

/** Compares the clock with a monotonic one every `every` milliseconds. */
export function watchClock(clock: Clock, log: LogLines, every = 1_000): ClockWatch {
  const listeners = new Set<(jump: ClockJump) => void>();
  let latest: ClockJump | undefined;
  let ahead = clock.now() - clock.monotonic();

  const look = () => {
    const at = clock.now();
    const before = ahead;
    ahead = at - clock.monotonic();
    const by = ahead - before;
    if (Math.abs(by) < minJump) return;
    const jump = { at, by };
    latest = jump;
    log.warn({ seconds: Math.round(by / 1000) }, "this machine's clock jumped");
    for (const listener of listeners) tell(listener, jump);
  };
  const tell = (listener: (jump: ClockJump) => void, jump: ClockJump) => {
    try {
      listener(jump);
    } catch (error) {
      log.error({ err: error }, "handling a clock jump failed");
    }
  };

  const timer = setInterval(look, every).unref();
  return {
    latest: () => latest,
    onJump(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    look,
    close: async () => clearInterval(timer),
  };
}
