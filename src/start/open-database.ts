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
import { findPending, isUpToDate, migrate } from "../database/migrate.ts";
import { AppError, asAppError } from "../errors.ts";
import { migrateQueues } from "../queue/postgres-backend.ts";

/** Where the embedded database's files lie in the data directory, and in the archive of a backup. */
export const databaseFolder = "database/postgres";

/** Whether a database has to be made first, which takes some seconds: a restore that was broken off leaves a folder without one. */
export function isNewDatabase(config: Config): boolean {
  return config.DATABASE_URL === undefined && !existsSync(join(config.DATA_DIR, databaseFolder));
}

const filesOf = (config: Config) => join(config.DATA_DIR, "database");

/** The server of DATABASE_URL, as the settings say. */
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

/** The same for what reads and changes all that there is. */
export function connectUnlimited(url: string, config: ServerSettings): Database {
  return connectConfigured(url, config, unlimited);
}

type ServerSettings = Pick<Config, "PREPARED_STATEMENTS" | "DATABASE_POOL">;

/** How the embedded database is opened. */
type OpeningOptions = Pick<DirectoryOptions, "onCrash">;

/**
 * The configured database with all migrations: a server, or the embedded one of the data directory. With AUTO_MIGRATE=off a
 * server's is not changed: throws as `openExistingDatabase` where it is not of this version.
 */
export async function openDatabase(config: Config, options: OpeningOptions = {}): Promise<Database> {
  const { DATABASE_URL: url } = config;
  if (url) {
    // A migration's statements take as long as there is data.
    const patient =
      config.AUTO_MIGRATE === "on" ? connectUnlimited(url, config) : await openExistingDatabase(config);
    try {
      await migrate(patient);
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
 * The database of an installation, as it is: nothing is made or brought up to date. Throws `invalid_configuration` where
 * there is none, `directory_in_use` while it runs, `database_unavailable` for one of another version.
 */
export async function openExistingDatabase(config: Config): Promise<Database> {
  if (isNewDatabase(config)) throw nothingThere(config);
  const { DATABASE_URL: url } = config;
  // What reads and changes all that there is takes as long as there is data.
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
 * Brings the configured database up to date, with the tables of the queues, and returns the names of what was applied. An
 * embedded one must be there.
 */
export async function bringUpToDate(config: Config): Promise<string[]> {
  const database = await openStored(config);
  try {
    const names = await migrate(database);
    await migrateQueues(database);
    return names;
  } finally {
    await database.close();
  }
}

/** The names of what `bringUpToDate` would apply; undefined where nothing of Castellan is in the database. */
export async function readPending(config: Config): Promise<string[] | undefined> {
  const database = await openStored(config);
  try {
    return await findPending(database);
  } finally {
    await database.close();
  }
}

/**
 * The configured database as it is, of whatever earlier version, for whoever only reads it. Throws `directory_in_use`,
 * and `invalid_configuration` where there is none.
 */
export async function openStored(config: Config): Promise<Database> {
  const { DATABASE_URL: url } = config;
  if (url) return connectUnlimited(url, config);
  if (isNewDatabase(config)) throw nothingThere(config);
  return connectDirectory(filesOf(config));
}

function nothingThere({ DATABASE_URL, DATA_DIR }: Config): AppError {
  const place = DATABASE_URL ? `DATABASE_URL (${new URL(DATABASE_URL).host})` : `DATA_DIR (${DATA_DIR})`;
  const advice = DATABASE_URL ? " To make its tables, run castellan migrate." : "";
  return new AppError("invalid_configuration", `There is no Castellan data in ${place}.${advice}`);
}

/**
 * Opens what one process may have at a time; where Castellan runs on it, `directory_in_use` says what to do instead.
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
