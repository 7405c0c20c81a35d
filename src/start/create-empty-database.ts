/**
 * Creates the files of a database with all tables and no rows, and packs them: `create-empty-database <archive>`. This
 * takes several seconds and some hundred megabytes, so the build does it, and a first start only unpacks the result.
 */
import { createWriteStream } from "node:fs";
import { mkdtemp, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { archiveEnd, packTree } from "../archive/pack.ts";
import { connectEngine } from "../database/connect.ts";
import { migrate } from "../database/migrate.ts";
import { executeRequest, openPglite } from "../database/embedded/pglite.ts";
import { migrateQueues } from "../queue/postgres-backend.ts";

const [, , archive = ""] = process.argv;
const directory = await mkdtemp(`${archive}-unfinished-`);
try {
  const files = join(directory, "files");
  const instance = await openPglite({ dataDir: files });
  const database = connectEngine({
    execute: (request) => executeRequest(instance, request),
    close: () => instance.close(),
  });
  await migrate(database);
  await migrateQueues(database);
  // No second database is created from the templates, and they are nearly half of the files.
  await database.pool.query("update pg_database set datistemplate = false");
  for (const name of ["template0", "template1"]) await database.pool.query(`drop database ${name}`);
  await database.close();
  const unfinished = join(directory, "archive");
  async function* entries() {
    yield* packTree(files, "");
    yield archiveEnd;
  }
  await pipeline(
    Readable.from(entries(), { objectMode: false }),
    createGzip(),
    createWriteStream(unfinished),
  );
  await rename(unfinished, archive);
} finally {
  await rm(directory, { recursive: true });
}
