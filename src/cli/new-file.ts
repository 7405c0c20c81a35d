import { existsSync } from "node:fs";
import { open, rename, rm } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { AppError, asAppError, explainSystemError } from "../errors.ts";

/** Refuses a file that exists, because nothing is overwritten. */
export function requireNewFile(file: string): void {
  if (file === "-" || !existsSync(file)) return;
  throw new AppError("invalid_file", `${file} cannot be written: it already exists.`);
}

type Parts = AsyncIterable<Uint8Array | string> | Iterable<string>;

/** Writes to a new file, which gets its name only when it is complete; "-" is `out`. */
export async function writeNew(file: string, parts: Parts, out: NodeJS.WritableStream): Promise<void> {
  try {
    // The output is not ended here. Otherwise an error of the parts would be reported as one of the output.
    if (file === "-") await pipeline(parts, out, { end: false });
    else await writeWhole(file, parts);
  } catch (cause) {
    if (asAppError(cause)) throw cause;
    const name = file === "-" ? "The output" : file;
    const why = explainSystemError(cause) ?? "the instance aborted it. Try again";
    throw new AppError("invalid_file", `${name} could not be written: ${why}.`, { cause });
  }
}

async function writeWhole(file: string, parts: Parts): Promise<void> {
  const unfinished = `${file}.unfinished`;
  // Two writers of one file would mix their parts.
  const handle = await open(unfinished, "wx", 0o600).catch((cause: unknown) => {
    if (!existsSync(unfinished)) throw cause;
    throw new AppError(
      "invalid_file",
      `${unfinished} exists: another process is writing ${file}, or was killed. If none is, remove it.`,
      { cause },
    );
  });
  try {
    await pipeline(parts, handle.createWriteStream({ flush: true }));
    await rename(unfinished, file);
  } catch (cause) {
    await rm(unfinished, { force: true });
    throw cause;
  }
}
