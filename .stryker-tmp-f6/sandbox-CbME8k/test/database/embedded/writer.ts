/** Writes a row after the other into the database of a directory, and says each that was acknowledged. */
// @ts-nocheck

import { connectDirectory } from "../../../src/database/connect.ts";
import { migrate } from "../../../src/database/migrate.ts";

const database = await connectDirectory(process.argv[2] ?? "");
await migrate(database);
for (let fid = 1; ; fid += 1) {
  await database.transaction((tx) => tx.insertInto("network.bot_allowlist").values({ fid }).execute());
  process.stdout.write(`${fid}\n`);
}
