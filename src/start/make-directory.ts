import { accessSync, constants, existsSync, mkdirSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { AppError, explainSystemError } from "../errors.ts";

/** Makes the data directory, for its owner alone, where it is not there. Throws `invalid_configuration` where it cannot be used. */
export function makeDataDirectory(directory: string): void {
  try {
    make(resolve(directory));
    accessSync(directory, constants.R_OK | constants.W_OK | constants.X_OK);
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
function make(directory: string): void {
  if (existsSync(directory)) return;
  make(dirname(directory));
  mkdirSync(directory, { mode: 0o700 });
}
