/** The only source of time, so that tests can move it. */
// @ts-nocheck

export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

/** Whole UNIX seconds, the unit of every time in interface.md that is not stated to be milliseconds. */
export function seconds(clock: Clock): number {
  return Math.floor(clock.now() / 1000);
}
