import type { Log } from "../log.ts";

/** Milliseconds in which the same error is one line. */
const quiet = 1_000;
/** Different errors that are told apart. */
const remembered = 100;

/**
 * Logs errors of queues: while a server is away, each of many connections reports the same one again and again. The same
 * error is one line a second, with how often it was left out before.
 */
export function createErrorReport(log: Log): (error: Error, queue: string) => void {
  const heard = new Map<string, { at: number; more: number }>();
  return (err, queue) => {
    const now = performance.now();
    const last = heard.get(err.message);
    if (last && now - last.at < quiet) {
      last.more += 1;
      return;
    }
    if (heard.size >= remembered) heard.clear();
    heard.set(err.message, { at: now, more: 0 });
    log.warn({ err, queue, ...(last?.more && { leftOut: last.more }) }, "queue error");
  };
}
