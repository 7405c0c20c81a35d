import { writeSync } from "node:fs";
import { showControls } from "./text/show-controls.ts";

/** Milliseconds in which a slow reader of standard error may take all that is left for it when the process ends. */
const timeoutMs = 2000;
const nap = 10;
let until: number | undefined;

/**
 * Ends the process with this as the last thing on standard error: after what the log still holds, and whole where the
 * reader is slow. One that has stopped or gone keeps nobody from ending.
 */
export function exitWith(code: number, text: string): never {
  let left = Buffer.from(showControls(text));
  // Such listeners run in the order in which they came; the log's came with the log.
  process.once("exit", () =>
    insist(() => {
      try {
        left = left.subarray(writeSync(2, left));
      } catch (error) {
        const isFull = error instanceof Error && "code" in error && error.code === "EAGAIN";
        if (!isFull) return true;
      }
      return left.length === 0;
    }),
  );
  process.exit(code);
}

/** For the end of the process: tries until it is done, or the time for everything is over. Nothing else runs meanwhile. */
export function insist(isDone: () => boolean): void {
  until ??= performance.now() + timeoutMs;
  const sleeper = new Int32Array(new SharedArrayBuffer(4));
  while (!isDone() && performance.now() < until) Atomics.wait(sleeper, 0, 0, nap);
}
