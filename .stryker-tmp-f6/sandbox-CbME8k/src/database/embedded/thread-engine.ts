// @ts-nocheck
import { Worker } from "node:worker_threads";
import { AppError } from "../../errors.ts";
import { entryPoint } from "./entry-point.ts";
import type { ThreadAnswer, ThreadRequest } from "./engine-thread.ts";
import type { Engine } from "./session.ts";

interface Waiter {
  resolve(answer: ThreadAnswer): void;
  reject(error: Error): void;
}

/**
 * Postgres in a thread of its own, on files made by `ensureFiles`. A thread that dies takes nothing acknowledged with
 * it, but cannot be replaced while others hold its session: every later call then fails with `database_unavailable`,
 * and `onCrash` hears of it once.
 */
export async function openThreadEngine(files: string, onCrash: (error: AppError) => void): Promise<Engine> {
  const { file, execArgv } = entryPoint("engine-thread");
  const worker = new Worker(file, { workerData: files, execArgv });
  // The thread answers one request after the other, so the answers come in the order of the requests.
  const waiters: Waiter[] = [];
  let crash: AppError | undefined;
  let closing = false;

  const next = () => new Promise<ThreadAnswer>((resolve, reject) => waiters.push({ resolve, reject }));
  const ask = (request: ThreadRequest) => {
    if (crash) return Promise.reject(crash);
    // A copy to hand over: cloning a view would copy all of the buffer that it looks at.
    const copy = request && new Uint8Array(request);
    worker.postMessage(copy, copy ? [copy.buffer] : []);
    return next();
  };
  const fail = (cause: unknown) => {
    if (crash || closing) return;
    crash = new AppError("database_unavailable", "The embedded database stopped. Restart Castellan.", {
      cause,
    });
    for (const waiter of waiters.splice(0)) waiter.reject(crash);
    onCrash(crash);
  };

  worker.on("message", (answer: ThreadAnswer) => waiters.shift()?.resolve(answer));
  worker.on("error", fail);
  worker.on("exit", (code) => fail(new Error(`the thread exited with code ${code}`)));
  await next();

  return {
    async execute(request) {
      const answer = await ask(request);
      if (answer === null) throw new AppError("database_unavailable", "The database was closed.");
      return answer;
    },
    async close() {
      if (crash) return;
      await ask(null);
      closing = true;
      await worker.terminate();
    },
  };
}
