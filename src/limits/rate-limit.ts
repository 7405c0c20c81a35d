/** A maximum number in any period of that many milliseconds. */
export interface RateLimit {
  max: number;
  windowMs: number;
}

export const hourMs = 3600_000;

/** Whole minutes until another is allowed after those at `times` (milliseconds, like `now`); 0 if one is allowed now. */
export function minutesToWait(times: readonly number[], { max, windowMs }: RateLimit, now: number): number {
  const recent = times.filter((at) => at > now - windowMs).toSorted((one, other) => one - other);
  const freesPlace = recent.at(-max);
  return freesPlace === undefined ? 0 : Math.ceil((freesPlace + windowMs - now) / 60_000);
}
