import { setFlagsFromString } from "node:v8";
import { Worker } from "node:worker_threads";
import { entryPoint } from "../../entry-point.ts";

/** A thread that has loaded Postgres, or is about to, and waits for files to open: see run-engine.ts. */
export interface EngineThread {
  worker: Worker;
  /** Why it ended. */
  ended: Promise<Error>;
}

/**
 * Bytes of WebAssembly that a function runs before V8 optimizes it: ten times what Node 20 waits for. Else a start spends
 * seconds on optimizing what Postgres does at its start alone.
 */
const beforeOptimizing = 18_000_000;
/** Megabytes for what a statement leaves in JavaScript, which is little: the engine's own memory is WebAssembly's. */
const youngGeneration = 3;

/**
 * Begins to load Postgres, which takes as long as all the rest of the program: so it is begun first, before it is known which
 * files it will open, or whether. A thread that nobody uses keeps no process alive.
 */
export function startEngineThread(): EngineThread {
  const { file, execArgv } = entryPoint(import.meta.url, "run-engine");
  setFlagsFromString(`--wasm-tiering-budget=${beforeOptimizing}`);
  // It is the build that we come with: a function is validated when it is first called, not all 9 MB at each start.
  setFlagsFromString("--wasm-lazy-validation");
  // Threads go by their own limits from here on, not by what this process was started with.
  setFlagsFromString("--max-semi-space-size=0");
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
