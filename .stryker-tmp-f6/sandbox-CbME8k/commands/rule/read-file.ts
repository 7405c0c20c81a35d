// @ts-nocheck
import type { AttachedFile } from "../../src/discord/option.ts";
import { AppError } from "../../src/errors.ts";
import { sourceLimits } from "../../src/rules/language/read-source.ts";

const patience = 10_000;

/** The text of a file that was attached to a command; its address comes from Discord itself. */
export async function readAttachedFile({ name, size, url }: AttachedFile): Promise<string> {
  if (size > sourceLimits.bytes) {
    const limit = sourceLimits.bytes / 1024;
    throw new AppError(
      "invalid_file",
      `The file has ${Math.ceil(size / 1024)} kB; at most ${limit} kB are read.`,
    );
  }
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(patience) });
    if (response.ok) return await response.text();
    throw new Error(`Discord answered ${response.status}`);
  } catch (error) {
    throw new AppError("invalid_file", `${name} could not be fetched from Discord. Attach it again.`, {
      cause: error,
    });
  }
}
