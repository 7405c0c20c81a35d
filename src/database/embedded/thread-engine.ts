import { Worker } from "node:worker_threads";
import { withTimeout } from "../../async.ts";
import { entryPoint } from "../../entry-point.ts";
import { AppError } from "../../errors.ts";
import type { Place } from "./empty-files.ts";
import type { ThreadAnswer, ThreadRequest } from "./run-engine.ts";
import type { Engine } from "./session.ts";

interface Waiter {
  resolve(answer: ThreadAnswer): void;
  reject(error: Error): void;
}

export interface ThreadOptions {
  /**
   * Called once if the engine died or went silent after it was opened. It cannot be replaced while clients hold its
   * session, so the process should end: later calls fail with `database_unavailable`.
   */
  onCrash?: (error: AppError) => void;
  /** Milliseconds without a response to the oldest request before the engine is given up. */
  timeoutMs?: number;
}

/** A hundred times our longest statement. On a full disk the engine spins forever. */
const defaultTimeoutMs = 60_000;
/** Milliseconds that the engine has to flush its data. */
const closingTimeoutMs = 5_000;

/** Postgres in its own thread, on existing or new files. If the thread dies, no acknowledged write is lost. */
export async function openThreadEngine(
  place: Place,
  { onCrash = () => {}, timeoutMs = defaultTimeoutMs }: ThreadOptions = {},
): Promise<Engine> {
  const { file, execArgv } = entryPoint(import.meta.url, "run-engine");
  const worker = new Worker(file, { execArgv });
  // The thread handles requests in order, so the responses come in the order of the requests.
  const waiters: Waiter[] = [];
  let crash: AppError | undefined;
  let closing = false;
  let isOpen = false;

  const next = () => new Promise<ThreadAnswer>((resolve, reject) => waiters.push({ resolve, reject }));
  const ask = (request: Uint8Array | null) => {
    if (crash) return Promise.reject(crash);
    // A copy to transfer; cloning a view would copy its whole buffer.
    const copy = request && new Uint8Array(request);
    worker.postMessage(copy satisfies ThreadRequest, copy ? [copy.buffer] : []);
    return next();
  };
  const fail = (message: string, cause?: unknown) => {
    if (crash || closing) return;
    crash = new AppError("database_unavailable", message, { cause });
    for (const waiter of waiters.splice(0)) waiter.reject(crash);
    void worker.terminate();
    // The caller that opens the engine gets the error and can explain it better.
    if (isOpen) onCrash(crash);
  };
  const died = (cause: unknown) =>
    fail(
      "The embedded database stopped. Start Castellan again. If it stops again, its files are damaged: restore your last backup into a new DATA_DIR (castellan restore FILE).",
      cause,
    );

  // Counted in turns of this thread's own loop, because a process that was stopped or busy has not waited.
  let turns = 0;
  const turnLength = Math.min(1_000, timeoutMs / 4);
  const check = () => {
    if (crash) return clearInterval(watch);
    turns = waiters.length === 0 ? 0 : turns + 1;
    if (turns * turnLength < timeoutMs) return;
    fail(
      `The embedded database has not responded for ${Math.round(timeoutMs / 1000)} s. Check the free space and the health of the disk with DATA_DIR, and start Castellan again.`,
    );
  };

  worker.on("message", (answer: ThreadAnswer) => {
    turns = 0;
    waiters.shift()?.resolve(answer);
  });
  worker.once("error", died);
  worker.once("exit", (code) => died(new Error(`the thread exited with code ${code}`)));
  worker.postMessage(place satisfies ThreadRequest);
  // Recovery at opening may take any time.
  await next();
  isOpen = true;
  const watch = setInterval(check, turnLength).unref();

  return {
    async execute(request) {
      const answer = await ask(request);
      if (answer === null) throw new AppError("database_unavailable", "The database was closed.");
      return answer;
    },
    async close() {
      if (crash) return;
      const closed = ask(null).catch(() => null);
      await withTimeout(closed, closingTimeoutMs, () => {});
      closing = true;
      clearInterval(watch);
      await worker.terminate();
      const late = new AppError("database_unavailable", "The database was closed.");
      for (const waiter of waiters.splice(0)) waiter.reject(late);
    },
  };
}
