import { openTestDatabase as openAnew, type TestDatabase } from "../support/database.ts";

export * from "../support/database.ts";

// Outlives modules, which a mutant may need to load anew.
const shared = globalThis as { keptDatabase?: Promise<TestDatabase> };

/** In place of test/support/database.ts: one database for all files. */
export async function openTestDatabase(): Promise<TestDatabase> {
  shared.keptDatabase ??= openAnew();
  return { ...(await shared.keptDatabase), close: async () => {} };
}

export async function emptyDatabase(): Promise<void> {
  await (await shared.keptDatabase)?.truncate();
}
