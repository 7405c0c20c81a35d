import { writeSync } from "node:fs";
import { showControls } from "./text/show-controls.ts";

/** Milliseconds that a slow reader of standard error has for the remaining output when the process ends. */
const timeoutMs = 2000;
const nap = 10;
let until: number | undefined;

/**
 * Ends the process with `text` as the last output on standard error, after the buffered log, and complete even if the
 * reader is slow. A reader that has stopped or gone does not block the exit.
 */
export function exitWith(code: number, text: string): never {
  let left = Buffer.from(showControls(text));
  // Exit listeners run in the order of registration, and the log has registered first.
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

/** For use while the process exits: blocks until `isDone`, or until the shared timeout is over. */
export function insist(isDone: () => boolean): void {
  until ??= performance.now() + timeoutMs;
  const sleeper = new Int32Array(new SharedArrayBuffer(4));
  while (!isDone() && performance.now() < until) Atomics.wait(sleeper, 0, 0, nap);
}
