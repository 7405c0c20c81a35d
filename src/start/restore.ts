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
 * Makes a data directory of a backup and gives the names of what it put there. The database gets its name last, when
 * everything is unpacked and opens: whatever fails or dies before leaves a directory without one, into which the same
 * backup can be restored again. With `connect`, to a PostgreSQL server, the rows go into the empty database there instead.
 * Throws `directory_in_use`, and `invalid_configuration` where there is something already.
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

/** The topmost directory that was not there before; undefined where all were. */
async function makeDirectories(directory: string, home: string): Promise<string | undefined> {
  const first = makeDataDirectory(directory);
  const isNewHome = !(await exists(home));
  await prepareDirectory(home);
  return first ?? (isNewHome ? home : undefined);
}

async function fillDirectory(unfinished: string): Promise<void> {
  const database = await connectDirectory(join(unfinished, "database"));
  try {
    // It was made just now, with the tables of this version; the backup has those of its own, which are then brought up to date.
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
  // What goes wrong on the way ends the reading of `gunzip`.
  pipeline(backup, gunzip, () => {});
  try {
    await unpack(gunzip, directory);
  } catch (cause) {
    if (!(cause instanceof Error && "code" in cause && String(cause.code).startsWith("Z_"))) throw cause;
    throw new AppError("invalid_file", "Not a complete Castellan backup. Use another one.", { cause });
  }
}

/** Opens the database once, which takes it to the state of the backup's end, and fails where something is missing. */
async function requireDatabase(files: string): Promise<void> {
  await requireEngineVersion(files);
  try {
    // Without these two the engine would not look at the log, or make a new database.
    for (const name of ["backup_label", "PG_VERSION"]) await readFile(join(files, name));
    const engine = await openFiles({ files });
    await engine.close();
  } catch (cause) {
    throw new AppError("invalid_file", "The backup's database cannot be opened. Take another backup.", {
      cause,
    });
  }
}

/** What else the backup holds. Throws where the directory has a file of that name and other content. */
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
    `${directory} holds ${what} already. Set DATA_DIR to a new directory; nothing was changed.`,
  );
}
