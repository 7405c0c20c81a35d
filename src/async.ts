import { setImmediate } from "node:timers/promises";

/**
 * Resolves to the result of `work`, or to the result of `onTimeout` after that many milliseconds; throws what they
 * throw. On timeout the work goes on, but its result is ignored.
 */
export async function withTimeout<T, Late>(
  work: Promise<T>,
  milliseconds: number,
  onTimeout: () => Late,
): Promise<T | Late> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<typeof timedOut>((resolve) => {
    timer = setTimeout(resolve, milliseconds, timedOut);
  });
  try {
    const first = await Promise.race([work, late]);
    return first === timedOut ? onTimeout() : first;
  } finally {
    clearTimeout(timer);
  }
}

const timedOut: unique symbol = Symbol("timed out");

/**
 * Runs `work` for each item, at most `limit` at a time, and returns the results in the items' order. A failure does not
 * stop the other items; the first one is thrown when all have finished.
 */
export async function mapLimited<T, R>(
  items: readonly T[],
  limit: number,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  const failures: unknown[] = [];
  const rest = items.entries();
  const takeTurns = async () => {
    for (const [index, item] of rest) {
      try {
        results[index] = await work(item);
      } catch (error) {
        failures.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, takeTurns));
  if (failures.length > 0) throw failures[0];
  return results;
}

/** Pauses between attempts, in milliseconds: `first` after the first failure, then `factor` times longer after each. */
export interface Backoff {
  first: number;
  longest: number;
  /** Default 2. */
  factor?: number;
}

/** Milliseconds to wait after that many failures in a row, counted from 1. */
export function exponentialBackoff(failures: number, { first, longest, factor = 2 }: Backoff): number {
  return Math.min(first * factor ** (failures - 1), longest);
}

/** Milliseconds that a long piece of work may occupy the event loop. */
const stint = 8;

/** For the steps of a long piece of work: await the returned function between steps to yield to the event loop when due. */
export function createYield(): () => Promise<void> {
  let begun = performance.now();
  return async () => {
    if (performance.now() - begun < stint) return;
    await setImmediate();
    begun = performance.now();
  };
}
