import { accessSync, constants, existsSync, mkdirSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { AppError, explainSystemError } from "../errors.ts";

/**
 * Makes the data directory, for its owner alone, where it is not there; gives the topmost directory that it made. Throws
 * `invalid_configuration` where it cannot be used.
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
      `DATA_DIR (${directory}) cannot be used: ${why}. Set DATA_DIR to a directory that Castellan may write.`,
      { cause },
    );
  }
}

/** One after the other: Node's own recursion never ends where the system says of a directory that it is not there (/proc). */
function make(directory: string): string | undefined {
  if (existsSync(directory)) return undefined;
  const above = make(dirname(directory));
  mkdirSync(directory, { mode: 0o700 });
  return above ?? directory;
}
