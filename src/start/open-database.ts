import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "../config.ts";
import { connectDirectory, connectServer, unlimited } from "../database/connect.ts";
import type { Database } from "../database/database.ts";
import { isUpToDate, migrate } from "../database/migrate.ts";
import { AppError } from "../errors.ts";

/** Whether a database has to be made first, which takes some seconds. */
export function isNewDatabase(config: Config): boolean {
  return config.DATABASE_URL === undefined && !existsSync(filesOf(config));
}

const filesOf = (config: Config) => join(config.DATA_DIR, "database");

/** The configured database with all migrations: a server, or the embedded one of the data directory. */
export async function openDatabase(config: Config, onCrash: (error: AppError) => void): Promise<Database> {
  const { DATABASE_URL: url } = config;
  if (url) {
    // A migration's statements take as long as there is data.
    const patient = connectServer(url, unlimited);
    try {
      await migrate(patient);
    } finally {
      await patient.close();
    }
    return connectServer(url);
  }
  const database = await connectDirectory(filesOf(config), { onCrash });
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
  const database = url ? connectServer(url, unlimited) : await connectDirectory(filesOf(config));
  try {
    if (!(await isUpToDate(database))) throw nothingThere(config);
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

function nothingThere({ DATABASE_URL, DATA_DIR }: Config): AppError {
  const place = DATABASE_URL ? `DATABASE_URL (${new URL(DATABASE_URL).host})` : `DATA_DIR (${DATA_DIR})`;
  return new AppError("invalid_configuration", `There is no data of Castellan in ${place}.`);
}
