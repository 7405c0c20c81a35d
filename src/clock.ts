import type { Log } from "./log.ts";

/** The only source of time, so that tests can move it. */
export interface Clock {
  /**
   * Whole milliseconds since 1970, as this machine says: it may be wrong, and it may jump. For what is stored, shown or due at
   * a time of day.
   */
  now(): number;
  /** Milliseconds since some moment of this process; never jumps. For how long anything takes or lasts within it. */
  monotonic(): number;
}

export const systemClock: Clock = { now: () => Date.now(), monotonic: () => performance.now() };

/** Whole UNIX seconds, the unit of every time in interface.md that is not stated to be milliseconds. */
export function seconds(clock: Pick<Clock, "now">): number {
  return Math.floor(clock.now() / 1000);
}

/** Somebody set the clock, or the machine slept. */
export interface ClockJump {
  /** When, by the clock after the jump, in UNIX milliseconds. */
  at: number;
  /** How far, in milliseconds; negative when it was set back. */
  by: number;
}

/** Notices when the clock of the machine jumps. */
export interface ClockWatch {
  /** The latest jump since the start of the process. */
  latest(): ClockJump | undefined;
  /** Calls `listener` after each jump, for whoever holds times that mean something else now; the result ends it. */
  onJump(listener: (jump: ClockJump) => void): () => void;
  /** Looks now, and not only when the next look is due. */
  look(): void;
  close(): Promise<void>;
}

/** Smaller steps are how clocks are kept right, in milliseconds. */
const minJump = 5_000;

/** Compares the clock each `every` milliseconds with one that cannot jump. */
export function watchClock(clock: Clock, log: Log, every = 1_000): ClockWatch {
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
    log.warn({ seconds: Math.round(by / 1000) }, "the clock of this machine jumped");
    for (const listener of listeners) tell(listener, jump);
  };
  const tell = (listener: (jump: ClockJump) => void, jump: ClockJump) => {
    try {
      listener(jump);
    } catch (error) {
      log.error({ err: error }, "what follows from a jump of the clock failed");
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
