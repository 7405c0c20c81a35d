import { randomUUID } from "node:crypto";
import { linkSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/**
 * Makes a file, whole from the first moment on, where there is none; one that another process made meanwhile stays, for
 * somebody may have it open, and would find it changed.
 */
export function publishFile(file: string, contents: Uint8Array): void {
  const unfinished = join(dirname(file), randomUUID());
  writeFileSync(unfinished, contents);
  try {
    linkSync(unfinished, file);
  } catch (error) {
    if (!(error instanceof Error) || !("code" in error) || error.code !== "EEXIST") throw error;
  } finally {
    rmSync(unfinished);
  }
}
