const longest = 60_000;

/** Milliseconds to wait after so many failures in a row: 1 s, 2 s, 4 s and so on up to a minute. */
export function backoff(failures: number): number {
  return Math.min(1000 * 2 ** (failures - 1), longest);
}
