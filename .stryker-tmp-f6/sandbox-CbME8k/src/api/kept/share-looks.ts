/**
 * Lets all who ask at the same time share one look. Nobody gets a look that began before he asked: whoever asks during
 * one waits for the next.
 */
// @ts-nocheck

export function shareLooks<Seen>(look: () => Promise<Seen>): () => Promise<Seen> {
  let running: Promise<Seen> | undefined;
  let next: Promise<Seen> | undefined;

  function start(): Promise<Seen> {
    const begun = look();
    const settled = () => {
      if (running === begun) running = undefined;
    };
    running = begun;
    begun.then(settled, settled);
    return begun;
  }

  async function startAfter(current: Promise<Seen>): Promise<Seen> {
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
