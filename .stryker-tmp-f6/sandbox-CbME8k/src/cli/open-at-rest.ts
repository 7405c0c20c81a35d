// @ts-nocheck
import type { Config } from "../config.ts";
import { AppError, asAppError } from "../errors.ts";

/**
 * Opens what one process may have at a time; where Castellan runs on it, `directory_in_use` says what to do instead.
 */
export async function openAtRest<T>(
  { DATA_DIR }: Pick<Config, "DATA_DIR">,
  open: () => Promise<T>,
  advice: string,
): Promise<T> {
  try {
    return await open();
  } catch (cause) {
    if (!asAppError(cause, "directory_in_use")) throw cause;
    throw new AppError(
      "directory_in_use",
      `Castellan is running on ${DATA_DIR}, and the embedded database belongs to one process. ${advice} On a PostgreSQL server (DATABASE_URL) this works while Castellan runs.`,
      { cause },
    );
  }
}
