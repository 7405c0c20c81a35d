// @ts-nocheck
import { join } from "node:path";
import { pipeline, Readable } from "node:stream";
import { createGzip } from "node:zlib";
import { archiveEnd, packFile } from "../archive/pack.ts";
import type { Database } from "../database/database.ts";
import type { Log } from "../log.ts";
import { sandboxFile } from "../sandbox/start-sandbox.ts";

/** Where the database's files lie in an archive, as in the data directory. */
export const databaseFolder = "database/postgres";

/**
 * What makes a backup of a running instance: its data directory without the keys, as a gzipped tar archive. Undefined
 * where the data is on a database server.
 */
export function offerBackup(
  database: Database,
  directory: string,
  log: Log,
): (() => Promise<Readable>) | undefined {
  const { backUp } = database;
  if (!backUp) return undefined;
  return async () => {
    const backup = await backUp(databaseFolder);
    async function* entries() {
      yield* backup.files;
      // At once after the database's moment: it has every message that the database knows to be sent, and no later ones.
      yield* packFile(sandboxFile, join(directory, sandboxFile));
      yield* backup.log;
      yield archiveEnd;
    }
    const archive = createGzip();
    // Also where the reader breaks off before it read anything.
    pipeline(Readable.from(entries(), { objectMode: false }), archive, (error) => {
      if (error) log.warn({ err: error }, "a backup was broken off");
      else log.info("a backup was made");
      void backup.close();
    });
    return archive;
  };
}
