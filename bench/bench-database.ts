import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { connectDirectory, connectServer } from "../src/database/connect.ts";
import type { Database } from "../src/database/database.ts";
import { migrate } from "../src/database/migrate.ts";

/** A migrated database, deleted by `close`: embedded, or a new one on the server of TEST_DATABASE_URL. */
export async function openBenchDatabase(): Promise<Database> {
  const server = process.env["TEST_DATABASE_URL"];
  const database = server ? await openOnServer(server) : await openEmbedded();
  await migrate(database);
  return database;
}

async function openEmbedded(): Promise<Database> {
  const directory = await mkdtemp(join(tmpdir(), "castellan-bench-"));
  const database = await connectDirectory(directory);
  const close = async () => {
    await database.close();
    await rm(directory, { recursive: true });
  };
  return { ...database, close };
}

async function openOnServer(server: string): Promise<Database> {
  const name = `castellan_bench_${randomBytes(6).toString("hex")}`;
  await administer(server, `create database ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  const database = connectServer(url.href);
  const close = async () => {
    await database.close();
    await administer(server, `drop database ${name} with (force)`);
  };
  return { ...database, close };
}

export async function administer(server: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: server });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
