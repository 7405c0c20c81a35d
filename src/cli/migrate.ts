import type { Config } from "../config.ts";
import { findPending } from "../database/migrate.ts";
import { bringUpToDate, openAtRest, openStored } from "../start/open-database.ts";
import type { TextOutput } from "../text/show-controls.ts";

/** Brings the configured database up to date, and says what was done. */
export async function migrateDatabase(config: Config, out: TextOutput): Promise<void> {
  const instead = "Nothing was changed. Its start has brought the database up to date.";
  const names = await openAtRest(config, () => bringUpToDate(config), instead);
  out.write(names.length === 0 ? upToDate : `Applied: ${names.join(", ")}.\n`);
}

/** Says what `migrateDatabase` would do, and gives the exit code: 1 where there is anything. */
export async function checkMigrations(config: Config, out: TextOutput): Promise<number> {
  const instead = "Nothing was looked at. Its start has brought the database up to date.";
  const database = await openAtRest(config, () => openStored(config), instead);
  try {
    const names = await findPending(database);
    if (names?.length === 0) {
      out.write(upToDate);
      return 0;
    }
    out.write(
      names ? `To be applied: ${names.join(", ")}.\n` : "The database has no tables of Castellan's yet.\n",
    );
    return 1;
  } finally {
    await database.close();
  }
}

const upToDate = "The database is up to date.\n";
