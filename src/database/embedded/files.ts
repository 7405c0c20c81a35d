import { chmod, mkdir, readdir, readFile, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { AppError, explainSystemError } from "../../errors.ts";
import { emptyFiles, type Place } from "./empty-files.ts";
import { firstFiles, readFreeSpace, requireFreeSpace, reserve, type ReadFreeSpace } from "./free-space.ts";
import type { Engine } from "./session.ts";
import { openThreadEngine, type ThreadOptions } from "./thread-engine.ts";

/** The major version of the embedded Postgres; no other can read its files. */
const engineVersion = "18";
const databaseName = "postgres";
const unfinishedPrefix = "postgres-unfinished-";

/** Creates the directory, readable only by its owner. */
export async function prepareDirectory(directory: string): Promise<void> {
  try {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    await chmod(directory, 0o700).catch(async (refusal: unknown) => {
      // Another user's directory, such as a container's volume, which may be accessible through our group.
      if (((await stat(directory)).mode & 0o007) !== 0) throw refusal;
    });
  } catch (cause) {
    const why = explainSystemError(cause) ?? "it may not belong to you";
    throw new AppError(
      "database_unavailable",
      `The data directory ${directory} cannot be used: ${why}. Fix that, or set DATA_DIR to another directory.`,
      { cause },
    );
  }
}

/**
 * Where the database's files are, or will be created. Only the holder of the directory's lock can call it. Throws
 * `database_unavailable` if there is too little space.
 */
export async function findFiles(directory: string, readFree: ReadFreeSpace = readFreeSpace): Promise<Place> {
  const files = join(directory, databaseName);
  if (await exists(files)) {
    requireFreeSpace(directory, await readFree(directory), reserve);
    return { files };
  }
  requireFreeSpace(directory, await readFree(directory), firstFiles);
  const unfinished = await clearUnfinished(directory);
  if (!(await exists(emptyFiles))) throw notBuilt();
  return { files, unfinished };
}

function notBuilt(): AppError {
  return new AppError("database_unavailable", `${emptyFiles} is missing. Build Castellan: npm run build.`);
}

/** Opens or creates the files that `findFiles` found. Throws `database_unavailable` with advice. */
export async function openFiles(place: Place, options: ThreadOptions = {}): Promise<Engine> {
  const { files, unfinished } = place;
  const isNew = unfinished !== undefined;
  const version = isNew ? engineVersion : await requireEngineVersion(files);
  try {
    if (!version) throw new Error("PG_VERSION is missing or damaged");
    return await openThreadEngine(place, options);
  } catch (cause) {
    if (isNew && !(await exists(files))) throw notMade(files, cause);
    throw new AppError(
      "database_unavailable",
      `The database in ${files} is damaged and cannot be opened. Restore your last backup into a new DATA_DIR: castellan restore FILE.`,
      { cause },
    );
  }
}

function notMade(files: string, cause: unknown): AppError {
  return new AppError(
    "database_unavailable",
    `The database could not be created in ${dirname(files)}. Check the free space there (it needs 100 MB).`,
    { cause },
  );
}

/** The major version that created these files, if it can be read. Throws `database_unavailable` if it is not ours. */
export async function requireEngineVersion(files: string): Promise<string | undefined> {
  const text = await readFile(join(files, "PG_VERSION"), "utf8").catch(() => "");
  const [version] = /^[0-9]+(?=\n?$)/.exec(text) ?? [];
  if (version === undefined || version === engineVersion) return version;
  throw new AppError(
    "database_unavailable",
    `${files} was created by the embedded PostgreSQL ${version}, but this version of Castellan has ${engineVersion}. With the version of Castellan that created it, run "castellan backup --portable FILE"; then "castellan restore FILE" with this version, into a new DATA_DIR.`,
  );
}

/**
 * Deletes leftovers of interrupted runs, and returns where to build files. Files are renamed when complete, so a crash
 * leaves nothing that looks like a database. Only the holder of the directory's lock can call it.
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
