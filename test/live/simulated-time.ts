import { setImmediate } from "node:timers/promises";
import type { TestClock } from "../support/world.ts";

/**
 * Time that passes only while nothing else happens: whoever sleeps is woken in order, and nobody's work takes any of it.
 * An hour of workers that mostly wait is over in seconds, and comes out the same on a busy machine.
 */
export interface SimulatedTime {
  sleep(this: void, milliseconds: number): Promise<void>;
  /** Lets so many seconds pass. */
  pass(this: void, seconds: number): Promise<void>;
}

export interface SimulatedWork {
  clock: TestClock;
  /** Whether anybody does anything but sleep. */
  isBusy(this: void): boolean;
  /** What is found to do each time that everybody sleeps; true where there was something. */
  whenIdle?: () => boolean;
}

/** Turns of the event loop without work, after which there is none: one answer may lead to another question. */
const quietTurns = 4;

export function createSimulatedTime({ clock, isBusy, whenIdle }: SimulatedWork): SimulatedTime {
  const sleepers: { at: number; wake: () => void }[] = [];

  async function untilIdle(): Promise<void> {
    for (let quiet = 0; quiet < quietTurns; quiet += 1) {
      await setImmediate();
      if (isBusy()) quiet = 0;
    }
  }

  return {
    sleep: (milliseconds) =>
      new Promise((resolve) => {
        const at = clock.monotonic() + Math.max(0, milliseconds);
        const later = sleepers.findIndex((other) => other.at > at);
        sleepers.splice(later < 0 ? sleepers.length : later, 0, { at, wake: resolve });
      }),
    async pass(seconds) {
      const end = clock.monotonic() + seconds * 1000;
      for (;;) {
        await untilIdle();
        if (whenIdle?.()) continue;
        const next = sleepers[0];
        if (!next || next.at > end) break;
        sleepers.shift();
        clock.advance(Math.max(0, next.at - clock.monotonic()) / 1000);
        next.wake();
      }
      clock.advance((end - clock.monotonic()) / 1000);
    },
  };
}
