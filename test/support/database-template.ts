import { createHash, randomUUID } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { Client } from "pg";
import { PGlite } from "@electric-sql/pglite";
import { connectEngine, connectServer } from "../../src/database/connect.ts";
import { engineOptions } from "../../src/database/embedded/pglite.ts";
import { migrate } from "../../src/database/migrate.ts";
import { migrateQueues } from "../../src/queue/backend.ts";

const root = join(import.meta.dirname, "../..");
const cache = join(root, "node_modules/.cache/castellan");
const templatePrefix = "castellan_template_";

/** Changes with everything that a fresh, migrated database depends on. */
export function templateHash(): string {
  const folder = join(root, "src/database/migrations");
  const files = readdirSync(folder).toSorted();
  const hash = createHash("sha256");
  for (const file of files) hash.update(file).update(readFileSync(join(folder, file)));
  for (const name of ["@electric-sql/pglite", "bullmq"]) {
    hash.update(readFileSync(join(root, "node_modules", name, "package.json")));
  }
  return hash.digest("hex").slice(0, 16);
}

export function templateFile(): string {
  return join(cache, `${templateHash()}.tar`);
}

export function templateName(): string {
  return `${templatePrefix}${templateHash()}`;
}

/** Migrates once per test run, or not at all when nothing changed since the last one. */
export async function prepareTemplate(): Promise<void> {
  const server = process.env["TEST_DATABASE_URL"];
  if (server) await prepareServerTemplate(server);
  else await prepareTemplateFile();
}

export async function prepareTemplateFile(): Promise<void> {
  if (existsSync(templateFile())) return;
  mkdirSync(cache, { recursive: true });
  for (const file of readdirSync(cache)) removeUnused(join(cache, file));
  const instance = await PGlite.create(engineOptions);
  const database = connectEngine({
    execute: async (request) => instance.execProtocolRawSync(request),
    close: async () => {},
  });
  await migrate(database);
  await migrateQueues(database);
  await database.close();
  const dump = await instance.dumpDataDir("none");
  const unfinished = join(cache, randomUUID());
  writeFileSync(unfinished, Buffer.from(await dump.arrayBuffer()));
  renameSync(unfinished, templateFile());
  await instance.close();
}

/** Not at once: a run of another revision may be using it. */
function removeUnused(file: string): void {
  const day = 86_400_000;
  const { mtimeMs } = statSync(file, { throwIfNoEntry: false }) ?? {};
  if (mtimeMs !== undefined && mtimeMs < Date.now() - day) rmSync(file, { force: true });
}

async function prepareServerTemplate(server: string): Promise<void> {
  const client = new Client({ connectionString: server });
  await client.connect();
  try {
    // Two test runs on one server may start together.
    await client.query("select pg_advisory_lock(1)");
    const name = templateName();
    const { rowCount } = await client.query("select from pg_database where datname = $1", [name]);
    if (rowCount) return;
    const unfinished = `unfinished_${name}`;
    await client.query(`drop database if exists ${unfinished}`);
    await client.query(`create database ${unfinished}`);
    const database = connectServer(databaseUrl(server, unfinished));
    await migrate(database);
    await migrateQueues(database);
    await database.close();
    await client.query(`alter database ${unfinished} rename to ${name}`);
  } finally {
    await client.end();
  }
}

export function databaseUrl(server: string, name: string): string {
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}
