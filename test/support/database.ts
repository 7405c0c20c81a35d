import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import { Client } from "pg";
import { connectEngine, connectServer } from "../../src/database/connect.ts";
import type { Database, Queryable } from "../../src/database/database.ts";
import { databaseUrl, lendEngine, templateName } from "./database-template.ts";

export interface TestDatabase extends Database {
  /** Puts every table of ours back to what the migrations left in it. */
  truncate(): Promise<void>;
  /** Gives what puts every table of ours back to what stands in it now. */
  keep(): Promise<() => Promise<void>>;
}

/** A migrated database of the test file's own: embedded, or on the server of TEST_DATABASE_URL. Close it after all. */
export async function openTestDatabase(): Promise<TestDatabase> {
  const server = process.env["TEST_DATABASE_URL"];
  const database = server ? await openOnServer(server) : connectEngine(await lendEngine());
  restoring ??= describeRows(database);
  const { ours, queues } = await restoring;
  // An engine that was used before may have jobs, too.
  if (!server) await database.pool.query(`${ours}${queues}`);
  const run = (statements: string) => async () => void (await database.pool.query(statements));
  const keep = async () => run(await prepareRestore(database, schemas.ours));
  return { ...database, truncate: run(ours), keep };
}

const schemas = { ours: ["network", "castellan"], queues: ["bullmq"] };

/** Statements that put tables back to what the migrations left in them: the same for all databases of a process. */
let restoring: Promise<{ ours: string; queues: string }> | undefined;

async function describeRows(database: Database): Promise<{ ours: string; queues: string }> {
  return {
    ours: await prepareRestore(database, schemas.ours),
    queues: await prepareRestore(database, schemas.queues),
  };
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

async function prepareRestore(database: Database, schemas: string[]): Promise<string> {
  const { rows: tables } = await sql<{ name: string; columns: string }>`
    select format('%I.%I', table_schema, table_name) as name,
           string_agg(quote_ident(column_name), ', ' order by ordinal_position) as columns
    from information_schema.columns join information_schema.tables using (table_schema, table_name)
    where table_schema = any(${schemas}) and table_type = 'BASE TABLE'
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
    from pg_sequences where schemaname = any(${schemas})
  `.execute(database.query);
  const ending = ["set local session_replication_role = origin", "commit;"];
  return [...statements, ...sequences.map(({ reset }) => reset), ...ending].join(";\n");
}

/** Everything that stands in our tables, to see whether anything changed. */
export async function readTables(db: Queryable): Promise<Record<string, unknown>> {
  const { rows: tables } = await sql<{ name: string }>`
    select format('%I.%I', table_schema, table_name) as name from information_schema.tables
    where table_schema in ('network', 'castellan') and table_type = 'BASE TABLE' order by 1
  `.execute(db);
  const contents: Record<string, unknown> = {};
  for (const { name } of tables) {
    const { rows } = await sql`select row::text as row from ${sql.raw(name)} as row order by 1`.execute(db);
    contents[name] = rows;
  }
  return contents;
}

/** A statement as the driver got it. */
export interface Statement {
  text: string;
  values: unknown[];
}

/** The statements that `work` sends to the database, in order, with those that begin and end transactions. */
export async function recordStatements(work: () => Promise<unknown>): Promise<Statement[]> {
  const statements: Statement[] = [];
  // The driver's method, put back below; it is never called unbound.
  // oxlint-disable-next-line typescript/unbound-method
  const original = Client.prototype.query;
  const recording = function (this: Client, ...parameters: unknown[]): unknown {
    const [query, values] = parameters;
    // Text and values, or, where the server keeps the statement, an object of both.
    const sent = typeof query === "string" ? { text: query, values } : (query as Partial<Statement>);
    if (typeof sent.text === "string")
      statements.push({ text: sent.text, values: Array.isArray(sent.values) ? sent.values : [] });
    return Reflect.apply(original, this, parameters);
  };
  Object.assign(Client.prototype, { query: recording });
  try {
    await work();
  } finally {
    Object.assign(Client.prototype, { query: original });
  }
  return statements;
}
