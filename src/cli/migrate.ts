import type { Config } from "../config.ts";
import { bringUpToDate, readPending } from "../start/open-database.ts";
import type { TextOutput } from "../text/show-controls.ts";

/** Upgrades the configured database, and prints the applied migrations. */
export async function migrateDatabase(config: Config, out: TextOutput): Promise<void> {
  const names = await bringUpToDate(config, { onBusy: (message) => void out.write(`${message}\n`) });
  out.write(names.length === 0 ? upToDate : `Applied: ${names.join(", ")}.\n`);
}

/** Prints the migrations that `migrateDatabase` would apply, and returns the exit code: 1 if there are any. */
export async function checkMigrations(config: Config, out: TextOutput): Promise<number> {
  const names = await readPending(config);
  if (names?.length === 0) out.write(upToDate);
  else if (names) out.write(`To be applied: ${names.join(", ")}.\n`);
  else out.write("The database has no Castellan tables yet.\n");
  return names?.length === 0 ? 0 : 1;
}

const upToDate = "The database is up to date.\n";
