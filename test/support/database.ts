import { randomBytes } from "node:crypto";
import { openAsBlob } from "node:fs";
import { sql } from "kysely";
import { Client } from "pg";
import { connectServer } from "../../src/database/connect.ts";
import { connectEngine } from "../../src/database/embedded/connect-engine.ts";
import type { Database } from "../../src/database/database.ts";
import { openInlineEngine } from "../../src/database/embedded/inline-engine.ts";
import { databaseUrl, templateFile, templateName } from "./database-template.ts";

export interface TestDatabase extends Database {
  /** Puts every table of ours back to what the migrations left in it. */
  truncate(): Promise<void>;
}

/** A migrated database of the test file's own: embedded, or on the server of TEST_DATABASE_URL. Close it after all. */
export async function openTestDatabase(): Promise<TestDatabase> {
  const server = process.env["TEST_DATABASE_URL"];
  const database = server ? await openOnServer(server) : await openEmbedded();
  const truncate = await prepareTruncate(database);
  return { ...database, truncate };
}

async function openEmbedded(): Promise<Database> {
  return connectEngine(await openInlineEngine({ loadDataDir: await openAsBlob(templateFile()) }));
}

async function openOnServer(server: string): Promise<Database> {
  const { url, drop } = await createServerDatabase(server);
  const database = connectServer(url);
  const close = async () => {
    await database.close();
    await drop();
  };
  return { ...database, close };
}

/** A migrated database on the server of TEST_DATABASE_URL, for a process that connects by itself. */
export async function createServerDatabase(
  server = process.env["TEST_DATABASE_URL"] ?? "",
): Promise<{ url: string; drop: () => Promise<void> }> {
  const name = `castellan_test_${randomBytes(6).toString("hex")}`;
  await administer(server, `create database ${name} template ${templateName()}`);
  return {
    url: databaseUrl(server, name),
    drop: () => administer(server, `drop database ${name} with (force)`),
  };
}

async function administer(server: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: server });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

async function prepareTruncate(database: Database): Promise<() => Promise<void>> {
  const { rows: tables } = await sql<{ name: string; columns: string }>`
    select format('%I.%I', table_schema, table_name) as name,
           string_agg(quote_ident(column_name), ', ' order by ordinal_position) as columns
    from information_schema.columns join information_schema.tables using (table_schema, table_name)
    where table_schema in ('network', 'castellan') and table_type = 'BASE TABLE'
      and table_name <> 'migrations' and is_generated = 'NEVER'
    group by table_schema, table_name
  `.execute(database.query);
  // Deleting from tables that are nearly empty takes a tenth of what truncating them does.
  const statements = ["begin", "set local session_replication_role = replica"];
  for (const { name } of tables) statements.push(`delete from ${name}`);
  for (const { name, columns } of tables) {
    const { rows } = await sql<{ seed: string | null }>`
      select json_agg(row)::text as seed from ${sql.raw(name)} as row
    `.execute(database.query);
    const seed = rows[0]?.seed?.replaceAll("'", "''");
    if (!seed) continue;
    statements.push(
      `insert into ${name} (${columns}) overriding system value
       select ${columns} from json_populate_recordset(null::${name}, '${seed}')`,
    );
  }
  const { rows: sequences } = await sql<{ reset: string }>`
    select format('select setval(%L, %s, %L)', format('%I.%I', schemaname, sequencename),
                  coalesce(last_value, start_value), last_value is not null) as reset
    from pg_sequences where schemaname in ('network', 'castellan')
  `.execute(database.query);
  const restore = [...statements, ...sequences.map(({ reset }) => reset), "commit"].join(";\n");
  return async () => {
    await database.pool.query(restore);
  };
}
