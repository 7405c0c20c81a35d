/** So many at most in any stretch of so many milliseconds. */
export interface RateLimit {
  max: number;
  windowMs: number;
}

export const hourMs = 3600_000;

/** Whole minutes until one more is allowed after those at `times` (milliseconds, like `now`); 0 where it is now. */
export function minutesToWait(times: readonly number[], { max, windowMs }: RateLimit, now: number): number {
  const recent = times.filter((at) => at > now - windowMs).toSorted((one, other) => one - other);
  const freesPlace = recent.at(-max);
  return freesPlace === undefined ? 0 : Math.ceil((freesPlace + windowMs - now) / 60_000);
}
