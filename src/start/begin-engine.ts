import { startEngineThread, type EngineThread } from "../database/embedded/engine-thread.ts";
import { readSettings } from "../environment.ts";

/** Roles that run on the embedded database where no other is set; the others need a server. */
const roles: readonly (string | undefined)[] = [undefined, "start", "api"];

/**
 * Begins the thread of the embedded database, where these words after "castellan" start what uses it. It imports no more than the
 * thread takes: loading Postgres takes longer than loading the rest of the program, so the one is begun before the other.
 */
export function beginEngine(words: readonly string[]): EngineThread | undefined {
  if (words.length > 1 || !roles.includes(words[0])) return undefined;
  return findServer() ? undefined : startEngineThread();
}

function findServer(): string | undefined {
  try {
    const { DATABASE_URL, DATABASE_URL_FILE } = readSettings();
    return DATABASE_URL ?? DATABASE_URL_FILE;
  } catch {
    // Whoever reads the settings next says what is wrong with them.
    return "unknown";
  }
}
