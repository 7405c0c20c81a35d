// @ts-nocheck
import { setImmediate } from "node:timers/promises";

/** Milliseconds for which a long piece of work may keep the event loop from others. */
const stint = 8;

/** Called between steps of a long piece of work, lets others have the event loop when their turn has come. */
export function createPace(): () => Promise<void> {
  let begun = performance.now();
  return async () => {
    if (performance.now() - begun < stint) return;
    await setImmediate();
    begun = performance.now();
  };
}
