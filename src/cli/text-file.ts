import { readFile, stat } from "node:fs/promises";
import { AppError, asAppError, explainSystemError } from "../errors.ts";
import { decodeUtf8 } from "../text/decode-utf8.ts";

/**
 * Reads a UTF-8 file; "-" is standard input. Checks the size first, so that a file that is too large is not read at all.
 * Throws `invalid_file`.
 */
export async function readTextFile(file: string, maxBytes: number): Promise<string> {
  try {
    if (file === "-") return await readStandardInput(maxBytes);
    const found = await stat(file);
    if (found.isDirectory()) throw new AppError("invalid_file", `${file} is a directory. Give a file.`);
    if (found.size <= maxBytes) return decodeUtf8(await readFile(file), file);
  } catch (cause) {
    if (asAppError(cause)) throw cause;
    throw new AppError(
      "invalid_file",
      `${file} cannot be read: ${explainSystemError(cause) ?? String(cause)}.`,
      { cause },
    );
  }
  throw tooLarge(file, maxBytes);
}

function tooLarge(name: string, maxBytes: number): AppError {
  return new AppError("invalid_file", `${name} is too large: at most ${maxBytes / 1024} kB are read.`);
}

/** Stops reading at the size limit. Throws `invalid_file`, because the beginning of a list is another list. */
async function readStandardInput(maxBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > maxBytes) throw tooLarge("Standard input", maxBytes);
  }
  return decodeUtf8(Buffer.concat(chunks), "Standard input");
}
