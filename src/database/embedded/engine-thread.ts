import { Worker } from "node:worker_threads";
import { entryPoint } from "../../entry-point.ts";
import { setV8Flags } from "../../v8-flags.ts";

/** A thread that has loaded Postgres, or is about to, and waits for files to open: see run-engine.ts. */
export interface EngineThread {
  worker: Worker;
  /** Why it ended. */
  ended: Promise<Error>;
}

/** Megabytes for what a statement leaves in JavaScript, which is little: the engine's own memory is WebAssembly's. */
const youngGeneration = 3;

/**
 * Begins to load Postgres, which takes as long as all the rest of the program: so it is begun first, before it is known which
 * files it will open, or whether. A thread that nobody uses keeps no process alive.
 */
export function startEngineThread(): EngineThread {
  const { file, execArgv } = entryPoint(import.meta.url, "run-engine");
  setV8Flags();
  const worker = new Worker(file, {
    execArgv,
    resourceLimits: { maxYoungGenerationSizeMb: youngGeneration },
  });
  worker.unref();
  const ended = new Promise<Error>((resolve) => {
    worker.once("error", resolve);
    worker.once("exit", (code) => resolve(new Error(`the thread exited with code ${code}`)));
  });
  return { worker, ended };
}
