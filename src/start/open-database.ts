import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "../config.ts";
import { connectDirectory, connectServer, unlimited } from "../database/connect.ts";
import type { Database } from "../database/database.ts";
import { migrate } from "../database/migrate.ts";
import type { AppError } from "../errors.ts";

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
