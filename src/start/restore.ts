import { mkdir, readFile, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { pipeline, type Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { unpack } from "../archive/unpack.ts";
import { connectDirectory } from "../database/connect.ts";
import type { Database } from "../database/database.ts";
import { lockDirectory } from "../database/embedded/directory-lock.ts";
import {
  clearUnfinished,
  exists,
  openFiles,
  prepareDirectory,
  requireEngineVersion,
} from "../database/embedded/files.ts";
import { dropTables } from "../database/portable.ts";
import { AppError } from "../errors.ts";
import { sandboxFile } from "../sandbox/start-sandbox.ts";
import { copyPortable, fillFromPortable, portableFolder } from "./backup-archive.ts";
import { keysFile } from "./keys.ts";
import { makeDataDirectory } from "./make-directory.ts";
import { databaseFolder } from "./open-database.ts";

/**
 * Creates a data directory from a backup and returns the names of its contents. The database gets its name last, when
 * everything is unpacked and opens. So a failure or crash leaves a directory without a database, into which the same
 * backup can be restored again. With `connect`, to a PostgreSQL server, the rows go into the empty database there
 * instead. Throws `directory_in_use`, and `invalid_configuration` if data already exists.
 */
export async function restore(
  directory: string,
  backup: Readable,
  connect?: () => Database,
): Promise<string[]> {
  const home = join(directory, "database");
  const files = join(directory, databaseFolder);
  const made = await makeDirectories(directory, home);
  const unlock = await lockDirectory(home);
  let isRestored = false;
  try {
    if (!connect && (await exists(files))) throw occupied(directory, "a database");
    const unfinished = await clearUnfinished(home);
    try {
      await mkdir(unfinished, { mode: 0o700 });
      await unpackBackup(backup, unfinished);
      const isPortable = await exists(join(unfinished, portableFolder));
      if (!isPortable) await requireDatabase(join(unfinished, databaseFolder));
      const beside = await listBeside(unfinished, directory);
      if (connect) await fillServer(connect, unfinished, isPortable);
      else if (isPortable) await fillDirectory(unfinished);
      for (const name of beside) await rename(join(unfinished, name), join(directory, name));
      if (!connect) await rename(join(unfinished, databaseFolder), files);
      isRestored = true;
      return ["database", ...beside];
    } finally {
      await rm(unfinished, { recursive: true, force: true });
    }
  } finally {
    await unlock();
    const leftOver = isRestored ? (connect ? home : undefined) : made;
    if (leftOver) await rm(leftOver, { recursive: true });
  }
}

/** The topmost directory that did not exist before; undefined if all existed. */
async function makeDirectories(directory: string, home: string): Promise<string | undefined> {
  const first = makeDataDirectory(directory);
  const isNewHome = !(await exists(home));
  await prepareDirectory(home);
  return first ?? (isNewHome ? home : undefined);
}

async function fillDirectory(unfinished: string): Promise<void> {
  const database = await connectDirectory(join(unfinished, "database"));
  try {
    // The target was just created with this version's tables. The backup contains its own, which are then upgraded.
    await dropTables(database);
    await fillFromPortable(database, unfinished);
  } finally {
    await database.close();
  }
}

async function fillServer(connect: () => Database, unfinished: string, isPortable: boolean): Promise<void> {
  if (!isPortable) {
    const embedded = await connectDirectory(join(unfinished, "database"));
    try {
      await copyPortable(embedded, unfinished);
    } finally {
      await embedded.close();
    }
  }
  const database = connect();
  try {
    await fillFromPortable(database, unfinished);
  } finally {
    await database.close();
  }
}

async function unpackBackup(backup: Readable, directory: string): Promise<void> {
  const gunzip = createGunzip();
  // An error on the way ends the reading of `gunzip`.
  pipeline(backup, gunzip, () => {});
  try {
    await unpack(gunzip, directory);
  } catch (cause) {
    if (!(cause instanceof Error && "code" in cause && String(cause.code).startsWith("Z_"))) throw cause;
    const what = cause.message === "incorrect header check" ? "Not a" : "Not a complete";
    throw new AppError("invalid_file", `${what} Castellan backup. Use another one.`, { cause });
  }
}

/** Opens the database once, which replays the log to the backup's end, and fails if something is missing. */
async function requireDatabase(files: string): Promise<void> {
  await requireEngineVersion(files);
  try {
    // Without these two the engine would ignore the log, or create a new database.
    for (const name of ["backup_label", "PG_VERSION"]) await readFile(join(files, name));
    const engine = await openFiles({ files });
    await engine.close();
  } catch (cause) {
    throw new AppError("invalid_file", "The backup's database cannot be opened. Use another backup.", {
      cause,
    });
  }
}

/** The other files in the backup. Throws if the directory has a file of the same name with other content. */
async function listBeside(unfinished: string, directory: string): Promise<string[]> {
  const names = (await readdir(unfinished)).filter((name) => name === keysFile || name === sandboxFile);
  for (const name of names) {
    const present = await readFile(join(directory, name)).catch(() => undefined);
    if (present && !present.equals(await readFile(join(unfinished, name)))) {
      throw occupied(directory, `another ${name}`);
    }
  }
  return names;
}

function occupied(directory: string, what: string): AppError {
  return new AppError(
    "invalid_configuration",
    `${directory} already contains ${what}. Nothing was changed. Set DATA_DIR to a new directory.`,
  );
}
