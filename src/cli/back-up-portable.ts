import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { archiveEnd, packContent, packFile } from "../archive/pack.ts";
import type { Config } from "../config.ts";
import type { Database } from "../database/database.ts";
import { asAppError } from "../errors.ts";
import { sandboxFile } from "../sandbox/start-sandbox.ts";
import { packPortable } from "../start/back-up.ts";
import { keysFile, readKeys } from "../start/keys.ts";
import { openStored } from "../start/open-database.ts";
import { restore } from "../start/restore.ts";
import { askForBackup, describeBackup, packKeys, requireNewFile, writeWhole } from "./back-up.ts";

/**
 * Writes a backup that this and any later version of Castellan restores, into an embedded database or a server: of the
 * server of DATABASE_URL, of a data directory that nobody uses, or of the running instance.
 */
export async function backUpPortable(
  config: Config,
  file: string,
  out: NodeJS.WriteStream,
  notes: NodeJS.WritableStream,
): Promise<void> {
  requireNewFile(file);
  const { directory, keys, database, close } = await openData(config);
  try {
    async function* entries() {
      if (keys) yield keys;
      yield* packFile(sandboxFile, join(directory, sandboxFile));
      yield* packPortable(database);
      yield archiveEnd;
    }
    const archive = Readable.from(entries(), { objectMode: false });
    if (file === "-") await pipeline(archive, createGzip(), out);
    else await writeWhole(file, pipeThrough(archive));
  } finally {
    await close();
  }
  notes.write(describeBackup(file, keys !== undefined));
}

/** The compressed archive, which fails where the archive does. */
async function* pipeThrough(archive: Readable): AsyncGenerator<Uint8Array> {
  const compressed = createGzip();
  const done = pipeline(archive, compressed);
  yield* compressed;
  await done;
}

interface Data {
  /** The data directory that is read; with DATABASE_URL only what lies beside the database. */
  directory: string;
  /** The archive's entry of the keys. */
  keys: Buffer | undefined;
  database: Database;
  close: () => Promise<void>;
}

/** A data directory that is at rest is read as it is, of one in use a copy, for its database belongs to one process. */
async function openData(config: Config): Promise<Data> {
  const directory = config.DATA_DIR;
  const database = await openStored(config).catch((error: unknown) => {
    if (!asAppError(error, "directory_in_use")) throw error;
  });
  if (!database) return openCopy(config);
  try {
    const keys = readKeys(directory) && packContent(keysFile, readFileSync(join(directory, keysFile)));
    return { directory, keys, database, close: () => database.close() };
  } catch (error) {
    await database.close();
    throw error;
  }
}

async function openCopy(config: Config): Promise<Data> {
  const keys = await packKeys(config);
  const directory = await mkdtemp(join(config.DATA_DIR, "copy-"));
  const clear = () => rm(directory, { recursive: true, force: true });
  try {
    await restore(directory, await askForBackup(config));
    const database = await openStored({ ...config, DATA_DIR: directory });
    const close = async () => {
      try {
        await database.close();
      } finally {
        await clear();
      }
    };
    return { directory, keys, database, close };
  } catch (error) {
    await clear();
    throw error;
  }
}
