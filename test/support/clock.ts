import type { ClockStatus } from "../../src/bot-context.ts";
import type { Clock } from "../../src/clock.ts";

/** A clock that stands still until it is moved. */
export interface TestClock extends Clock {
  /** Time passes. */
  advance(seconds: number): void;
  /** Somebody sets the clock, forward or back: no time passes. */
  jump(seconds: number): void;
}

/** `start` in UNIX seconds. */
export function createTestClock(start = 1_700_000_000): TestClock {
  let passed = 0;
  let ahead = start * 1000;
  return {
    now: () => ahead + passed,
    monotonic: () => passed,
    advance: (seconds) => {
      passed += seconds * 1000;
    },
    jump: (seconds) => {
      ahead += seconds * 1000;
    },
  };
}

/** A clock that nobody sets, showing what `now` says, in UNIX milliseconds. */
export function clockOf(now: () => number): Clock {
  return { now, monotonic: now };
}

/** What a machine says whose clock is right and was never set. */
export const rightClock = { clockStatus: (): ClockStatus => ({ machineAhead: 0, jump: undefined }) };
