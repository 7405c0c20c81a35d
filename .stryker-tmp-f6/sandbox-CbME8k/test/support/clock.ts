// @ts-nocheck
import type { Clock } from "../../src/clock.ts";

/** A clock that stands still until it is moved. */
export interface TestClock extends Clock {
  /** Moves the clock forward. */
  advance(seconds: number): void;
}

/** `start` in UNIX seconds. */
export function createTestClock(start = 1_700_000_000): TestClock {
  let now = start * 1000;
  return {
    now: () => now,
    advance: (seconds) => {
      now += seconds * 1000;
    },
  };
}
