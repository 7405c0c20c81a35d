import type { Config } from "../config.ts";
import { bringUpToDate, readPending } from "../start/open-database.ts";
import type { TextOutput } from "../text/show-controls.ts";

/** Brings the configured database up to date, and says what was done. */
export async function migrateDatabase(config: Config, out: TextOutput): Promise<void> {
  const names = await bringUpToDate(config);
  out.write(names.length === 0 ? upToDate : `Applied: ${names.join(", ")}.\n`);
}

/** Says what `migrateDatabase` would do, and gives the exit code: 1 where there is anything. */
export async function checkMigrations(config: Config, out: TextOutput): Promise<number> {
  const names = await readPending(config);
  if (names?.length === 0) out.write(upToDate);
  else if (names) out.write(`To be applied: ${names.join(", ")}.\n`);
  else out.write("The database has no tables of Castellan's yet.\n");
  return names?.length === 0 ? 0 : 1;
}

const upToDate = "The database is up to date.\n";
