import { once } from "node:events";
import { withTimeout } from "../async.ts";
import type { AppError } from "../errors.ts";
import { exitWith } from "../last-words.ts";
import type { Log } from "../log.ts";
import { ignoreStdoutErrors } from "./stdout-errors.ts";

/** Milliseconds that the parts have for closing. */
const closingTime = 4_800;

/** Tells the running parts about the end of the process, and lets them end it. */
interface Shutdown {
  /** Aborted when the process was asked to end, or when a part gave up. */
  signal: AbortSignal;
  /** Ends the process with exit code 1, for a supervisor to restart it. */
  giveUp: (error: AppError) => void;
}

/**
 * Starts something and runs it until SIGTERM or SIGINT, or until it gives up. Then closes it with a time limit, and
 * exits. A second signal ends the process at once. Throws the start's errors, unless the process was already ending.
 */
export async function runUntilSignal(
  log: Log,
  start: (shutdown: Shutdown) => Promise<{ close(): Promise<void> }>,
): Promise<never> {
  let reason: AppError | undefined;
  const shutdown = new AbortController();
  const { signal } = shutdown;
  const ended = once(signal, "abort");
  const giveUp = (error: AppError) => {
    log.fatal({ err: error }, error.message);
    reason ??= error;
    shutdown.abort();
  };
  listenForSignals(log, () => shutdown.abort());
  const running = await start({ signal, giveUp }).catch((error: unknown) => {
    // The reason why the process ends matters, not the failures that follow from it.
    if (signal.aborted) return undefined;
    throw error;
  });
  if (running) {
    await ended;
    await close(running, log);
  }
  // The last line is the reason, regardless of other output.
  if (reason) return exitWith(1, `castellan: ${reason.message}\n`);
  return process.exit(0);
}

function listenForSignals(log: Log, end: () => void): void {
  ignoreStdoutErrors();
  let signals = 0;
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    process.on(signal, () => {
      signals += 1;
      if (signals > 1) process.exit(130);
      log.info({ signal }, "ending");
      end();
    });
  }
}

async function close(running: { close(): Promise<void> }, log: Log): Promise<void> {
  const closed = running.close().catch((error: unknown) => log.error({ err: error }, "closing failed"));
  await withTimeout(closed, closingTime, () =>
    log.warn("some parts did not close in time; their work is saved and will resume at the next start"),
  );
}
