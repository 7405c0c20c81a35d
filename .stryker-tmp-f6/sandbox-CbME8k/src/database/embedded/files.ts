// @ts-nocheck
import { execFile } from "node:child_process";
import { chmod, mkdir, readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { AppError } from "../../errors.ts";
import { entryPoint } from "./entry-point.ts";

const databaseName = "postgres";
const unfinishedPrefix = "postgres-unfinished-";

/** Makes the directory, readable by its owner alone. */
export async function prepareDirectory(directory: string): Promise<void> {
  try {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    await chmod(directory, 0o700);
  } catch (cause) {
    throw new AppError(
      "database_unavailable",
      `The data directory ${directory} cannot be used. Check that it belongs to you, or choose another.`,
      { cause },
    );
  }
}

/** The database's own files, made at the first start. Only the holder of the directory's lock may call it. */
export async function ensureFiles(directory: string): Promise<string> {
  const files = join(directory, databaseName);
  if (await exists(files)) return files;
  const unfinished = await clearUnfinished(directory);
  const { file, execArgv } = entryPoint("create-files");
  try {
    await promisify(execFile)(process.execPath, [...execArgv, file, unfinished]);
    await rename(unfinished, files);
  } catch (cause) {
    throw new AppError(
      "database_unavailable",
      `The database could not be made in ${directory}. Check the free space there (it needs 100 MB).`,
      { cause },
    );
  }
  return files;
}

/**
 * Where to make files that get their name when they are complete: a process that dies half-way leaves nothing that looks
 * like a database. What others left goes. Only the holder of the directory's lock may call it.
 */
export async function clearUnfinished(directory: string): Promise<string> {
  for (const name of await readdir(directory)) {
    if (name.startsWith(unfinishedPrefix)) await rm(join(directory, name), { recursive: true });
  }
  return join(directory, `${unfinishedPrefix}${process.pid}`);
}

export async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
