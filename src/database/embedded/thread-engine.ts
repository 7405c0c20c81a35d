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
   * Hears, once, of an engine that died or fell silent after it was opened. It cannot be replaced while others hold its session, so the
   * process should end: every later call fails with `database_unavailable`.
   */
  onCrash?: (error: AppError) => void;
  /** Milliseconds without an answer to the oldest request after which the engine is given up. */
  timeoutMs?: number;
}

/** What the longest statement of ours may take, a hundred times over. On a disk that is full the engine spins for ever. */
const defaultTimeoutMs = 60_000;
/** Milliseconds that the engine gets to write out what it has. */
const closingTimeoutMs = 5_000;

/** Postgres in a thread of its own, on files that it makes where they are to be made. A thread that dies takes nothing acknowledged with it. */
export async function openThreadEngine(
  place: Place,
  { onCrash = () => {}, timeoutMs = defaultTimeoutMs }: ThreadOptions = {},
): Promise<Engine> {
  const { file, execArgv } = entryPoint(import.meta.url, "run-engine");
  const worker = new Worker(file, { execArgv });
  // The thread answers one request after the other, so the answers come in the order of the requests.
  const waiters: Waiter[] = [];
  let crash: AppError | undefined;
  let closing = false;
  let isOpen = false;

  const next = () => new Promise<ThreadAnswer>((resolve, reject) => waiters.push({ resolve, reject }));
  const ask = (request: Uint8Array | null) => {
    if (crash) return Promise.reject(crash);
    // A copy to hand over: cloning a view would copy all of the buffer that it looks at.
    const copy = request && new Uint8Array(request);
    worker.postMessage(copy satisfies ThreadRequest, copy ? [copy.buffer] : []);
    return next();
  };
  const fail = (message: string, cause?: unknown) => {
    if (crash || closing) return;
    crash = new AppError("database_unavailable", message, { cause });
    for (const waiter of waiters.splice(0)) waiter.reject(crash);
    void worker.terminate();
    // Whoever opens it is told why it could not be, and knows better what that means.
    if (isOpen) onCrash(crash);
  };
  const died = (cause: unknown) =>
    fail(
      "The embedded database stopped. Castellan has to be started again. Where it stops again, its files are damaged: make a new DATA_DIR of your last backup (castellan restore FILE).",
      cause,
    );

  // Counted in turns of this thread's own loop: a process that was stopped, or busy, has not waited.
  let turns = 0;
  const turnLength = Math.min(1_000, timeoutMs / 4);
  const look = () => {
    if (crash) return clearInterval(watch);
    turns = waiters.length === 0 ? 0 : turns + 1;
    if (turns * turnLength < timeoutMs) return;
    fail(
      `The embedded database has not answered for ${Math.round(timeoutMs / 1000)} s. Look at the free space and the health of the disk that holds DATA_DIR. Castellan has to be started again.`,
    );
  };

  worker.on("message", (answer: ThreadAnswer) => {
    turns = 0;
    waiters.shift()?.resolve(answer);
  });
  worker.once("error", died);
  worker.once("exit", (code) => died(new Error(`the thread exited with code ${code}`)));
  worker.postMessage(place satisfies ThreadRequest);
  // Opening takes as long as there is to recover.
  await next();
  isOpen = true;
  const watch = setInterval(look, turnLength).unref();

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
