import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { packContent } from "../archive/pack.ts";
import type { Config } from "../config.ts";
import { connectDirectory, connectServer, unlimited } from "../database/connect.ts";
import type { Database } from "../database/database.ts";
import { PortableManifest, readPortable, writePortable } from "../database/portable.ts";
import { AppError } from "../errors.ts";
import { databaseFolder } from "./back-up.ts";

/** Where the rows lie in an archive, and what says that they are whole. */
export const portableFolder = "portable";
const manifestFile = `${portableFolder}/manifest.json`;

const partFile = (table: string, number: number) => `${portableFolder}/${table}/${number}.jsonl`;

/**
 * The configured database as it is, of whatever earlier version, for whoever only reads it. Throws `directory_in_use`,
 * and `invalid_configuration` where there is none.
 */
export async function openStored({ DATABASE_URL, DATA_DIR }: Pick<Config, "DATABASE_URL" | "DATA_DIR">) {
  if (DATABASE_URL) return connectServer(DATABASE_URL, unlimited);
  if (existsSync(join(DATA_DIR, databaseFolder))) return connectDirectory(join(DATA_DIR, "database"));
  throw new AppError("invalid_configuration", `There is no data of Castellan in DATA_DIR (${DATA_DIR}).`);
}

/** Every row of a database as entries of an archive, which any later version of Castellan restores into any database. */
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

/** Fills an empty database with what was unpacked into a directory. */
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
