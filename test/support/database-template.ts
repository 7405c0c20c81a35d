import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, openAsBlob, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { promisify } from "node:util";
import { brotliDecompressSync } from "node:zlib";
import type { PGliteOptions } from "@electric-sql/pglite";
import { Client } from "pg";
import { z } from "zod";
import { unpack } from "../../src/archive/unpack.ts";
import { connectEngine, connectServer } from "../../src/database/connect.ts";
import { makeFiles } from "../../src/database/embedded/empty-files.ts";
import { findFiles } from "../../src/database/embedded/files.ts";
import { executeRequest, openPglite } from "../../src/database/embedded/pglite.ts";
import type { Engine } from "../../src/database/embedded/session.ts";
import { queryMessage } from "../../src/database/embedded/protocol.ts";
import { migrate } from "../../src/database/migrate.ts";
import { migrations } from "../../src/database/migrations/index.ts";
import { migrateQueues } from "../../src/queue/postgres-backend.ts";
import { publishFile } from "./publish-file.ts";

const root = join(import.meta.dirname, "../..");
const cache = join(root, "node_modules/.cache/castellan");
const templatePrefix = "castellan_template_";

/** Changes with everything that a fresh, migrated database depends on. */
export function templateHash(): string {
  const hash = createHash("sha256");
  for (const [name, migration] of Object.entries(migrations)) hash.update(name).update(String(migration));
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
  const directory = await mkdtemp(join(tmpdir(), "castellan-template-"));
  const place = await findFiles(directory);
  await makeFiles(place);
  const instance = await openPglite({ dataDir: place.files });
  const database = connectEngine({
    execute: async (request) => instance.execProtocolRawSync(request),
    close: async () => {},
  });
  await migrate(database);
  await migrateQueues(database);
  await database.close();
  const dump = await instance.dumpDataDir("none");
  publishFile(templateFile(), Buffer.from(await dump.arrayBuffer()));
  await instance.close();
  await rm(directory, { recursive: true });
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

/** Puts a migrated database into a data directory, sooner than a first start would make one. */
export async function fillDirectory(directory: string): Promise<void> {
  await prepareTemplateFile();
  const files = join(directory, "postgres");
  await mkdir(files, { mode: 0o700 });
  await promisify(execFile)("tar", ["-xf", templateFile(), "-C", files]);
}

/** The embedded engine in the test's own thread, whose statements block everything else there. */
export async function openInlineEngine(options: PGliteOptions): Promise<Engine> {
  const instance = await openPglite(options);
  return {
    execute: (request) => executeRequest(instance, request),
    close: () => instance.close(),
  };
}

/** An embedded engine, what it answers about its own making, and how many test files have had it. */
interface Lent {
  engine: Engine;
  made: string;
  uses: number;
}

/** What test files of this process have given back: opening an engine takes longer than most files. */
const spare: Lent[] = [];
/** What was deleted stays in an engine's memory. */
const maxUses = 20;

/** An engine with a migrated database, which may hold rows of earlier tests; it is given back when it is closed. */
export async function lendEngine(): Promise<Engine> {
  const lent = spare.pop() ?? (await openEngine());
  lent.uses += 1;
  let closed = false;
  return {
    execute: (request) =>
      closed ? Promise.reject(new Error("this database is closed")) : lent.engine.execute(request),
    async close() {
      if (closed) return;
      closed = true;
      if (lent.uses < maxUses && (await describeMaking(lent.engine)) === lent.made) spare.push(lent);
      else await lent.engine.close();
    },
  };
}

async function openEngine(): Promise<Lent> {
  const engine = await openInlineEngine({ loadDataDir: await openAsBlob(templateFile()) });
  return { engine, made: await describeMaking(engine), uses: 0 };
}

const making = `
  select (select md5(string_agg(c::text, ',' order by c.oid)) from
            (select oid, relname, relkind, relnatts, relhastriggers from pg_class where relpersistence <> 't') as c),
         (select md5(string_agg(p::text, ',' order by p.oid)) from (select oid, proname, prosrc from pg_proc) as p),
         (select md5(string_agg(a::text, ',' order by a.attrelid, a.attnum)) from
            (select attrelid, attnum, attname, attnotnull, atthasdef from pg_attribute) as a),
         (select md5(string_agg(t::text, ',' order by t.oid)) from (select oid, tgname, tgenabled from pg_trigger) as t),
         (select md5(string_agg(c::text, ',' order by c.oid)) from (select oid, conname from pg_constraint) as c),
         (select count(*) from pg_db_role_setting), (select count(*) from pg_replication_slots),
         (select md5(string_agg(m::text, ',' order by m::text)) from castellan.migrations as m)
`;

/** Ends what a session left behind, and tells of everything that is no row of a table. */
async function describeMaking(engine: Engine): Promise<string> {
  await engine.execute(queryMessage("rollback"));
  await engine.execute(queryMessage("discard all"));
  return Buffer.from(await engine.execute(queryMessage(making))).toString("latin1");
}

const fixture = (ending: string) => new URL(`../fixtures/data-directory-bridge${ending}`, import.meta.url);

/** Puts the data directory of the bridge (migration 0200-standard-names), with rows in every table, into an empty directory. */
export async function unpackBridge(directory: string): Promise<void> {
  const archive = brotliDecompressSync(await readFile(fixture(".tar.br")));
  await unpack(Readable.from([archive], { objectMode: false }), directory);
}

/** How many rows each of its tables has. */
export async function countBridge(): Promise<Record<string, number>> {
  const text = await readFile(fixture(".rows.json"), "utf8");
  return z.record(z.string(), z.number()).parse(JSON.parse(text));
}
