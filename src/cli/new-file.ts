import { createWriteStream, existsSync } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { AppError, asAppError, explainSystemError } from "../errors.ts";

/** Refuses a file that exists, because nothing is overwritten. */
export function requireNewFile(file: string): void {
  if (file === "-" || !existsSync(file)) return;
  throw new AppError("invalid_file", `${file} cannot be written: it exists already.`);
}

/** The file gets its name only when it is complete. */
export async function writeWhole(
  file: string,
  parts: AsyncIterable<Uint8Array | string> | Iterable<string>,
): Promise<void> {
  const unfinished = `${file}.unfinished`;
  try {
    await pipeline(parts, createWriteStream(unfinished, { mode: 0o600, flush: true }));
    await rename(unfinished, file);
  } catch (cause) {
    await rm(unfinished, { force: true });
    if (asAppError(cause)) throw cause;
    const why = explainSystemError(cause) ?? "the instance aborted it";
    throw new AppError("invalid_file", `${file} could not be written: ${why}. Try again.`, {
      cause,
    });
  }
}
