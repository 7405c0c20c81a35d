import { setFlagsFromString } from "node:v8";

/**
 * Bytes of WebAssembly that a function runs before V8 optimizes it: a tenth of a second of work, fifty times what Node 20 waits
 * for. Else a start spends half a second on optimizing what Postgres does at its start alone.
 */
const beforeOptimizing = 100_000_000;

/** V8's settings for the whole process and its threads. What is compiled under other flags is not taken from a cache of code. */
export function setV8Flags(): void {
  setFlagsFromString(`--wasm-tiering-budget=${beforeOptimizing}`);
  // Postgres is the build that we come with: a function is validated when it is first called, not all 9 MB at each start.
  setFlagsFromString("--wasm-lazy-validation");
  // Threads go by their own limits from here on, not by what this process was started with.
  setFlagsFromString("--max-semi-space-size=0");
}
