import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "../config.ts";
import {
  connectDirectory,
  connectServer,
  unlimited,
  usualConnections,
  type DirectoryOptions,
  type ServerOptions,
} from "../database/connect.ts";
import type { Database } from "../database/database.ts";
import { findPending, isUpToDate, migrate, type MigrateOptions } from "../database/migrate.ts";
import { migrations } from "../database/migrations/index.ts";
import { AppError, asAppError } from "../errors.ts";
import { migrateQueues } from "../queue/postgres-backend.ts";

/** The place of the embedded database's files in the data directory and in a backup's archive. */
export const databaseFolder = "database/postgres";

/** Whether a database must be created first, which takes some seconds. An aborted restore leaves a directory without one. */
export function isNewDatabase(config: Config): boolean {
  return config.DATABASE_URL === undefined && !existsSync(join(config.DATA_DIR, databaseFolder));
}

const filesOf = (config: Config) => join(config.DATA_DIR, "database");

/** The server of DATABASE_URL, from the settings. */
function connectConfigured(
  url: string,
  { PREPARED_STATEMENTS, DATABASE_POOL }: ServerSettings,
  options: ServerOptions = {},
): Database {
  return connectServer(url, {
    pooled: PREPARED_STATEMENTS === "off",
    connections: { ...usualConnections, statements: DATABASE_POOL },
    ...options,
  });
}

/** The same for work that reads and changes all data. */
export function connectUnlimited(url: string, config: ServerSettings): Database {
  return connectConfigured(url, config, unlimited);
}

type ServerSettings = Pick<Config, "PREPARED_STATEMENTS" | "DATABASE_POOL">;

/** How to open the embedded database, and how to migrate. */
type OpeningOptions = Pick<DirectoryOptions, "onCrash"> & MigrateOptions;

/**
 * The configured database with all migrations: a server, or the embedded one in the data directory. With
 * AUTO_MIGRATE=off a server's database is not changed: throws like `openExistingDatabase` if it has another version.
 */
export async function openDatabase(
  config: Config,
  { onBusy, ...options }: OpeningOptions = {},
): Promise<Database> {
  const { DATABASE_URL: url } = config;
  if (url) {
    // Without a timeout, because migrations take longer the more data there is.
    const patient =
      config.AUTO_MIGRATE === "on" ? connectUnlimited(url, config) : await openExistingDatabase(config);
    try {
      await migrate(patient, migrations, { onBusy });
    } finally {
      await patient.close();
    }
    return connectConfigured(url, config);
  }
  const database = await connectDirectory(filesOf(config), options);
  try {
    await migrate(database);
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

/**
 * An installation's database without creating or upgrading it. Throws `invalid_configuration` if there is none,
 * `directory_in_use` while it runs, `database_unavailable` for another version.
 */
export async function openExistingDatabase(config: Config): Promise<Database> {
  if (isNewDatabase(config)) throw nothingThere(config);
  const { DATABASE_URL: url } = config;
  // Without a timeout, because reading and changing all data can take long.
  const database = url ? connectUnlimited(url, config) : await connectDirectory(filesOf(config));
  try {
    if (!(await isUpToDate(database))) throw nothingThere(config);
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

/**
 * Upgrades the configured database, including the queues' tables, and returns the names of the applied migrations. An
 * embedded database must exist.
 */
export async function bringUpToDate(config: Config, options: MigrateOptions = {}): Promise<string[]> {
  const database = await openStored(config);
  try {
    const names = await migrate(database, migrations, options);
    await migrateQueues(database);
    return names;
  } finally {
    await database.close();
  }
}

/** The names of the migrations that `bringUpToDate` would apply; undefined if the database has no Castellan data. */
export async function readPending(config: Config): Promise<string[] | undefined> {
  const database = await openStored(config);
  try {
    return await findPending(database);
  } finally {
    await database.close();
  }
}

/**
 * The configured database at its present version, for readers only. Throws `directory_in_use`, and
 * `invalid_configuration` if there is none.
 */
export async function openStored(config: Config): Promise<Database> {
  const { DATABASE_URL: url } = config;
  if (url) return connectUnlimited(url, config);
  if (isNewDatabase(config)) throw nothingThere(config);
  return connectDirectory(filesOf(config));
}

function nothingThere({ DATABASE_URL, DATA_DIR }: Config): AppError {
  const place = DATABASE_URL ? `DATABASE_URL (${new URL(DATABASE_URL).host})` : `DATA_DIR (${DATA_DIR})`;
  const advice = DATABASE_URL ? " To create its tables, run castellan migrate." : "";
  return new AppError("invalid_configuration", `There is no Castellan data in ${place}.${advice}`);
}

/**
 * Opens a resource that only one process can use. If Castellan is running on it, `directory_in_use` says what to do
 * instead.
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
