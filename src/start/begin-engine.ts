import type { Config } from "../config.ts";
import { startEngineThread, type EngineThread } from "../database/embedded/engine-thread.ts";

/**
 * Begins the thread of the embedded database, where that is used. It imports no more than the thread takes: loading Postgres and
 * loading the rest of the program take as long as each other, so the one is begun before the other.
 */
export function beginEngine({ DATABASE_URL }: Config): EngineThread | undefined {
  return DATABASE_URL ? undefined : startEngineThread();
}
