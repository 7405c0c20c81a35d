import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip, gzipSync } from "node:zlib";
import { privateKeyToAddress } from "viem/accounts";
import { z } from "zod";
import { archiveEnd, packContent, packFile } from "../archive/pack.ts";
import type { Config } from "../config.ts";
import type { Database } from "../database/database.ts";
import { AppError, asAppError } from "../errors.ts";
import { sandboxFile } from "../sandbox/start-sandbox.ts";
import { packPortable } from "../start/backup-archive.ts";
import { openBackupFolder } from "../start/backup-folder.ts";
import { keysFile, readKeys } from "../start/keys.ts";
import { openStored } from "../start/open-database.ts";
import { restore } from "../start/restore.ts";
import { askInstance } from "./ask-instance.ts";
import { requireNewFile, writeNew } from "./new-file.ts";

const Refusal = z.object({ errors: z.tuple([z.object({ message: z.string() })], z.unknown()) });
const Signer = z.object({ signer: z.string() });

/**
 * Writes a backup of the running instance to a file (`-` is standard output), which it never overwrites. The instance
 * sends no keys, so they are added first from the data directory.
 */
export async function backUp(
  config: Config,
  file: string,
  out: NodeJS.WriteStream,
  notes: NodeJS.WritableStream,
): Promise<void> {
  refuseOtherData(config);
  requireNewFile(file);
  const archive = await askForBackup(config);
  const keys = await packKeys(config);
  async function* parts() {
    // Several gzip streams in sequence form one archive.
    if (keys) yield gzipSync(keys);
    yield* archive;
  }
  await writeNew(file, parts(), out);
  notes.write(describeBackup(file, keys !== undefined));
}

/**
 * Writes a backup that this and any later version of Castellan can restore, into an embedded database or a server. It
 * reads the server of DATABASE_URL, a data directory that is not in use, or the running instance.
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
    await writeNew(file, compress(archive), out);
  } finally {
    await close();
  }
  notes.write(describeBackup(file, keys !== undefined));
}

/** The compressed archive. Its stream fails if the archive does. */
async function* compress(archive: Readable): AsyncGenerator<Uint8Array> {
  const compressed = createGzip();
  const done = pipeline(archive, compressed);
  yield* compressed;
  await done;
}

interface Data {
  /** The data directory to read. With DATABASE_URL only its files outside the database. */
  directory: string;
  /** The archive's entry for the keys. */
  keys: Buffer | undefined;
  database: Database;
  close: () => Promise<void>;
}

/** Reads an unused data directory directly. One in use is copied first, because its database belongs to one process. */
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
  const folder = await openBackupFolder(config.DATA_DIR);
  const { directory } = folder;
  try {
    await restore(directory, await askForBackup(config));
    const database = await openStored({ ...config, DATA_DIR: directory });
    const close = async () => {
      try {
        await database.close();
      } finally {
        await folder.close();
      }
    };
    return { directory, keys, database, close };
  } catch (error) {
    await folder.close();
    throw error;
  }
}

function describeBackup(file: string, hasKeys: boolean): string {
  const held = hasKeys
    ? "the data and the keys. Keep it secret"
    : `the data, but not the keys. Keep ${keysFile} too`;
  return `${file === "-" ? "The backup" : file} contains ${held}.\n`;
}

function refuseOtherData({ DATABASE_URL }: Config): void {
  if (DATABASE_URL) {
    throw new AppError(
      "invalid_configuration",
      `The data is on the server of DATABASE_URL. Back it up with pg_dump, together with ${keysFile} in DATA_DIR, or run "castellan backup --portable FILE".`,
    );
  }
}

/** The backup that the running instance sends. */
async function askForBackup(config: Config): Promise<Readable> {
  const response = await askInstance(config, "/operator/backup");
  const type = response.headers.get("content-type");
  if (response.ok && response.body && type === "application/gzip") {
    return Readable.fromWeb(response.body);
  }
  throw await readRefusal(response);
}

async function readRefusal(response: Response): Promise<AppError> {
  const refusal = Refusal.safeParse(await response.json().catch(() => undefined)).data;
  const message = refusal?.errors[0].message ?? `The instance answered ${response.status}.`;
  return new AppError("network_failed", message, { status: response.status });
}

/** The entry for the keys, if the keys in DATA_DIR are the running instance's. */
async function packKeys(config: Config): Promise<Buffer | undefined> {
  const keys = readKeys(config.DATA_DIR);
  if (!keys) return undefined;
  const response = await askInstance(config, "/signer");
  if (!response.ok) throw await readRefusal(response);
  const signer = Signer.safeParse(await response.json()).data?.signer;
  if (signer?.toLowerCase() !== privateKeyToAddress(keys.registryKey).toLowerCase()) {
    throw new AppError(
      "invalid_configuration",
      `${config.DATA_DIR} has the keys of another instance. Set DATA_DIR to the directory of the running one.`,
    );
  }
  return packContent(keysFile, readFileSync(join(config.DATA_DIR, keysFile)));
}
