import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pipeline, Readable } from "node:stream";
import { createGzip } from "node:zlib";
import { archiveEnd, packContent, packFile } from "../archive/pack.ts";
import type { Database } from "../database/database.ts";
import { PortableManifest, readPortable, writePortable } from "../database/portable.ts";
import { AppError } from "../errors.ts";
import type { Log } from "../log.ts";
import { sandboxFile } from "../sandbox/start-sandbox.ts";
import { databaseFolder } from "./open-database.ts";

/**
 * Creates the backup of a running instance: its data directory without the keys, as a gzipped tar archive. Undefined
 * if the data is on a database server.
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
      // Directly after the database's snapshot, so that it has exactly the messages that the database calls sent.
      yield* packFile(sandboxFile, join(directory, sandboxFile));
      yield* backup.log;
      yield archiveEnd;
    }
    const archive = createGzip();
    // Also if the reader stops before it reads anything.
    pipeline(Readable.from(entries(), { objectMode: false }), archive, (error) => {
      if (error) log.warn({ err: error }, "a backup was aborted");
      else log.info("a backup was made");
      void backup.close();
    });
    return archive;
  };
}

/** The places of the rows and of their manifest in an archive. */
export const portableFolder = "portable";
const manifestFile = `${portableFolder}/manifest.json`;

const partFile = (table: string, number: number) => `${portableFolder}/${table}/${number}.jsonl`;

/** Every row of a database as archive entries, which any later version of Castellan can restore into any database. */
export async function* packPortable(database: Database): AsyncGenerator<Uint8Array> {
  for await (const { path, content } of listFiles(database)) yield packContent(path, content);
}

/** The same as files in a directory, as if such an archive were unpacked there. */
export async function copyPortable(database: Database, directory: string): Promise<void> {
  for await (const { path, content } of listFiles(database)) {
    await mkdir(dirname(join(directory, path)), { recursive: true, mode: 0o700 });
    await writeFile(join(directory, path), content, { mode: 0o600 });
  }
}

/** Fills an empty database from an unpacked backup. */
export async function fillFromPortable(database: Database, directory: string): Promise<void> {
  const text = await readFile(join(directory, manifestFile), "utf8").catch((cause: unknown) => {
    throw new AppError("invalid_file", "Not a complete Castellan backup: its manifest is missing.", {
      cause,
    });
  });
  const manifest = PortableManifest.parse(JSON.parse(text));
  await writePortable(database, manifest, (table, number) =>
    readFile(join(directory, partFile(table, number)), "utf8"),
  );
}

async function* listFiles(database: Database): AsyncGenerator<{ path: string; content: Buffer }> {
  const parts = readPortable(database);
  for (let step = await parts.next(); ; step = await parts.next()) {
    if (step.done) {
      yield { path: manifestFile, content: Buffer.from(JSON.stringify(step.value)) };
      return;
    }
    const { table, number, lines } = step.value;
    yield { path: partFile(table, number), content: Buffer.from(`${lines.join("\n")}\n`) };
  }
}
