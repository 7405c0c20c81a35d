import { once } from "node:events";
import { withTimeout } from "../async.ts";
import type { AppError } from "../errors.ts";
import { exitWith } from "../last-words.ts";
import type { Log } from "../log.ts";

/** How long the parts may take to close, in milliseconds. */
const closingTime = 4_800;

export interface Ending {
  /** Settles when the process was asked to end, or gave up. */
  asked: Promise<void>;
  /** Aborted at that moment. */
  signal: AbortSignal;
  /** Ends the process with exit code 1, for a supervisor to start it anew. */
  giveUp: (error: AppError) => void;
  /** Waits for the parts to close, but not for ever; then the process exits. */
  within(closing: Promise<void>): Promise<never>;
}

/** Listens for SIGTERM and SIGINT. A second one ends the process at once. */
export function untilAsked(log: Log): Ending {
  let reason: AppError | undefined;
  const ending = new AbortController();
  const asked = once(ending.signal, "abort").then(() => {});
  // A reader of standard output that goes away is no reason to end.
  process.stdout.on("error", () => {});
  let signals = 0;
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    process.on(signal, () => {
      signals += 1;
      if (signals > 1) process.exit(130);
      log.info({ signal }, "ending");
      ending.abort();
    });
  }
  return {
    asked,
    signal: ending.signal,
    giveUp(error) {
      log.fatal({ err: error }, error.message);
      reason ??= error;
      ending.abort();
    },
    async within(closing) {
      const closed = closing.then(
        () => true,
        (error: unknown) => {
          log.error({ err: error }, "closing failed");
          return true;
        },
      );
      const inTime = await withTimeout(closed, closingTime, () => false);
      if (!inTime)
        log.warn("some parts did not close in time; what they did is in rows and goes on at the next start");
      // The last line says why, whatever else was written.
      if (reason) return exitWith(1, `castellan: ${reason.message}\n`);
      return process.exit(0);
    },
  };
}
