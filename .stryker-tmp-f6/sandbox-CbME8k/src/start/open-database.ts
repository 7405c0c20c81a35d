// @ts-nocheck
import { join } from "node:path";
import type { Config } from "../config.ts";
import { connectDirectory, connectServer } from "../database/connect.ts";
import type { Database } from "../database/database.ts";
import { migrate } from "../database/migrate.ts";
import type { AppError } from "../errors.ts";

/** The configured database with all migrations: a server, or the embedded one of the data directory. */
export async function openDatabase(config: Config, onCrash: (error: AppError) => void): Promise<Database> {
  const database = config.DATABASE_URL
    ? connectServer(config.DATABASE_URL)
    : await connectDirectory(join(config.DATA_DIR, "database"), onCrash);
  try {
    await migrate(database);
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}
