import { accessSync, constants, existsSync, mkdirSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { AppError, explainSystemError } from "../errors.ts";

/**
 * Creates the data directory, for its owner only, if it does not exist. Returns the topmost directory that it created.
 * Throws `invalid_configuration` if the directory cannot be used.
 */
export function makeDataDirectory(
  directory: string,
  { isWritten = true }: { isWritten?: boolean } = {},
): string | undefined {
  try {
    const made = make(resolve(directory));
    accessSync(directory, constants.R_OK | constants.X_OK | (isWritten ? constants.W_OK : 0));
    return made;
  } catch (cause) {
    const why = explainSystemError(cause);
    if (why === undefined) throw cause;
    throw new AppError(
      "invalid_configuration",
      `DATA_DIR (${directory}) cannot be used: ${why}. Set DATA_DIR to a directory that Castellan can write to.`,
      { cause },
    );
  }
}

/** Level by level: Node's recursive option never ends if a directory does not exist after its creation (/proc). */
function make(directory: string): string | undefined {
  if (existsSync(directory)) return undefined;
  const above = make(dirname(directory));
  mkdirSync(directory, { mode: 0o700 });
  return above ?? directory;
}
