/**
 * One piece of work at a time for each key. Of what comes meanwhile only the latest waits; what it takes the place of is
 * never begun.
 */
export function latestOnly(): (key: string, work: () => Promise<void>) => Promise<void> {
  const waiting = new Map<string, (() => Promise<void>) | undefined>();
  return async (key, work) => {
    if (waiting.has(key)) {
      waiting.set(key, work);
      return;
    }
    try {
      for (let next: typeof work | undefined = work; next; next = waiting.get(key)) {
        waiting.set(key, undefined);
        await next();
      }
    } finally {
      waiting.delete(key);
    }
  };
}
