import { setImmediate } from "node:timers/promises";

/**
 * What `work` gives; or what `onTimeout` gives, or throws, once it has taken so many milliseconds. The work itself goes
 * on, and nobody hears of it any more.
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
 * Does `work` for each item, at most `limit` at the same time, and gives the results in the items' order. Each has its
 * turn, whatever becomes of the others; the first failure is thrown when all are done.
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

/** Pauses between tries, in milliseconds: `first` after the first failure, `factor` times as long after each further one. */
export interface Backoff {
  first: number;
  longest: number;
  /** 2 where it is left out. */
  factor?: number;
}

/** Milliseconds to wait after so many failures in a row, counted from 1. */
export function exponentialBackoff(failures: number, { first, longest, factor = 2 }: Backoff): number {
  return Math.min(first * factor ** (failures - 1), longest);
}

/** Milliseconds for which a long piece of work may keep the event loop from others. */
const stint = 8;

/** For the steps of one long piece of work: awaited between them, it lets others have the event loop when it is time. */
export function createYield(): () => Promise<void> {
  let begun = performance.now();
  return async () => {
    if (performance.now() - begun < stint) return;
    await setImmediate();
    begun = performance.now();
  };
}
