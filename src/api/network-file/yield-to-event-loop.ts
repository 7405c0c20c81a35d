import { setImmediate } from "node:timers/promises";

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
