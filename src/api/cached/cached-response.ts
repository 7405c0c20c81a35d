/** An answer that many ask for and few things change: kept ready, as HTTP sends it. */
export interface CachedResponse {
  bytes: Buffer;
  /** Tells versions apart (an ETag without its quotes), where the same question may be asked again. */
  tag?: string;
}

/**
 * Lets all who ask at the same time share one reading. Nobody gets a reading that began before they asked: whoever asks
 * during one waits for the next.
 */
export function singleFlight<Result>(read: () => Promise<Result>): () => Promise<Result> {
  let running: Promise<Result> | undefined;
  let next: Promise<Result> | undefined;

  function start(): Promise<Result> {
    const begun = read();
    const settled = () => {
      if (running === begun) running = undefined;
    };
    running = begun;
    begun.then(settled, settled);
    return begun;
  }

  async function startAfter(current: Promise<Result>): Promise<Result> {
    await current.catch(() => {});
    next = undefined;
    return start();
  }

  return () => {
    if (!running) return start();
    next ??= startAfter(running);
    return next;
  };
}
