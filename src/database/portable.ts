import { sql } from "kysely";
import type { PoolClient } from "pg";
import { z } from "zod";
import { AppError } from "../errors.ts";
import type { Database, Tx } from "./database.ts";
import { baseline, bridge, isBeforeBridge, migrate } from "./migrate.ts";
import { migrations } from "./migrations/index.ts";

/** The manifest of a portable copy; the rows are in parts, by table. */
export const PortableManifest = z.object({
  /** The copied database's migrations, in order. */
  migrations: z.array(z.string()),
  tables: z.array(
    z.object({ name: z.string(), columns: z.array(z.string()), rows: z.number(), parts: z.number() }),
  ),
  /** The last number of each identity column: table, column, number. */
  numbers: z.array(z.object({ table: z.string(), column: z.string(), last: z.string() })),
});
export type PortableManifest = z.output<typeof PortableManifest>;

/** Some rows of a table, as lines of JSON. */
export interface Part {
  table: string;
  /** Counted from 1 in each table. */
  number: number;
  lines: string[];
}

/** Rows per read, and the minimum length of a part's lines. */
const batch = 500;
const partLength = 1_000_000;

/**
 * Reads every row of Castellan's own schemas as text that any major version of PostgreSQL, embedded or on a server, can
 * import; all as of one moment. Queues are omitted, because their jobs only trigger checks. The manifest comes last.
 */
export async function* readPortable(database: Database): AsyncGenerator<Part, PortableManifest> {
  const client = await database.pool.connect();
  try {
    await client.query("begin isolation level repeatable read read only");
    const tables: PortableManifest["tables"] = [];
    const found = await client.query<TableShape>(listTables);
    for (const { name, columns } of found.rows) {
      let rows = 0;
      let parts = 0;
      for await (const lines of readRows(client, name)) {
        rows += lines.length;
        parts += 1;
        yield { table: name, number: parts, lines };
      }
      tables.push({ name, columns, rows, parts });
    }
    const applied = await client.query<{ name: string }>(
      "select name from castellan.migrations order by name",
    );
    const numbers = await client.query<PortableManifest["numbers"][number]>(listNumbers);
    await client.query("commit");
    return { migrations: applied.rows.map(({ name }) => name), tables, numbers: numbers.rows };
  } finally {
    client.release();
  }
}

/**
 * One of our tables, and the columns to write a row with: by plain name, because quoting differs between versions of
 * PostgreSQL.
 */
interface TableShape {
  name: string;
  columns: string[];
}

const listTables = `
  select table_schema || '.' || table_name as name, array_agg(column_name::text order by ordinal_position) as columns
  from information_schema.columns join information_schema.tables using (table_schema, table_name)
  where table_schema in ('network', 'castellan') and table_type = 'BASE TABLE'
    -- A copy of this database becomes a different installation.
    and (table_schema, table_name) not in (('castellan', 'migrations'), ('castellan', 'installation')) and is_generated = 'NEVER'
    -- Transaction numbers are meaningless in another database.
    and udt_name <> 'xid8'
  group by table_schema, table_name order by 1
`;

const listNumbers = `
  select c.table, c.column, s.last_value::text as last
  from (select format('%I.%I', table_schema, table_name) as table, column_name::text as column,
               pg_get_serial_sequence(format('%I.%I', table_schema, table_name), column_name) as sequence
        from information_schema.columns
        where table_schema in ('network', 'castellan') and is_identity = 'YES') c
  join pg_sequences s on format('%I.%I', s.schemaname, s.sequencename) = c.sequence
  where s.last_value is not null order by 1, 2
`;

/** A name quoted for a statement. */
const quote = (name: string) =>
  name
    .split(".")
    .map((part) => `"${part.replaceAll('"', '""')}"`)
    .join(".");

async function* readRows(client: PoolClient, table: string): AsyncGenerator<string[]> {
  await client.query(
    `declare portable no scroll cursor for select row_to_json(t)::text as line from ${quote(table)} t`,
  );
  let lines: string[] = [];
  let length = 0;
  for (;;) {
    const { rows } = await client.query<{ line: string }>(`fetch ${batch} from portable`);
    for (const { line } of rows) {
      lines.push(line);
      length += line.length;
    }
    if (length < partLength && rows.length > 0) continue;
    if (lines.length > 0) yield lines;
    lines = [];
    length = 0;
    if (rows.length === 0) break;
  }
  await client.query("close portable");
}

/**
 * Fills an empty database with a portable copy, completely or not at all, and migrates it. Throws
 * `invalid_configuration` if the database has data, `invalid_file` if the copy is damaged or newer.
 */
export async function writePortable(
  database: Database,
  manifest: PortableManifest,
  readPart: (table: string, number: number) => Promise<string>,
): Promise<void> {
  const made = manifest.migrations.includes(bridge) ? [baseline] : manifest.migrations;
  const unknown = made.filter((name) => !(name in migrations));
  if (unknown.length > 0) {
    throw new AppError(
      "invalid_file",
      isBeforeBridge(made)
        ? `The backup was made by a version of Castellan whose data this version cannot read. Restore it with the version tagged bridge-0200, start that once, and back up again.`
        : `The backup was made by a newer version of Castellan (it has ${unknown.join(", ")}). Restore it with that version.`,
    );
  }
  await requireEmpty(database);
  const then = new Set(made);
  try {
    await migrate(
      database,
      Object.fromEntries(Object.entries(migrations).filter(([name]) => then.has(name))),
    );
    await database.transaction((tx) => fill(tx, manifest, readPart));
  } catch (error) {
    // It was empty and must be again, because another backup may work.
    await dropTables(database);
    throw error;
  }
  await migrate(database);
}

/** All of Castellan's tables, with their data. */
export async function dropTables(database: Database): Promise<void> {
  await sql`drop schema if exists network, castellan cascade`.execute(database.query);
}

async function requireEmpty(database: Database): Promise<void> {
  const { rows } = await sql<{ used: boolean }>`
    select to_regclass('castellan.migrations') is not null as used
  `.execute(database.query);
  if (!rows[0]?.used) return;
  throw new AppError(
    "invalid_configuration",
    "The database already has Castellan data. Restore into an empty one; nothing was changed.",
  );
}

async function fill(
  tx: Tx,
  manifest: PortableManifest,
  readPart: (table: string, number: number) => Promise<string>,
): Promise<void> {
  const constraints = await sql<{ table: string; name: string; definition: string }>`
    select format('%I.%I', n.nspname, r.relname) as table, quote_ident(c.conname) as name,
           pg_get_constraintdef(c.oid) as definition
    from pg_constraint c join pg_class r on r.oid = c.conrelid join pg_namespace n on n.oid = r.relnamespace
    where c.contype = 'f' and n.nspname in ('network', 'castellan')
  `.execute(tx);
  // Rows refer to each other across tables and parts, so foreign keys are checked at the end.
  for (const { table, name } of constraints.rows) {
    await sql.raw(`alter table ${table} drop constraint ${name}`).execute(tx);
  }
  const shapes = await sql.raw<TableShape>(listTables).execute(tx);
  for (const { name, columns, rows, parts } of manifest.tables) {
    const shape = shapes.rows.find((one) => one.name === name);
    if (!shape || columns.some((column) => !shape.columns.includes(column)))
      throw damaged(`${name} is not known`);
    const into = sql.raw(columns.map(quote).join(", "));
    const target = sql.raw(quote(name));
    await sql`delete from ${target}`.execute(tx);
    for (let number = 1; number <= parts; number += 1) {
      const text = await readPart(name, number);
      const json = `[${text.trimEnd().replaceAll("\n", ",")}]`;
      await sql`
        insert into ${target} (${into}) overriding system value
        select ${into} from json_populate_recordset(null::${target}, ${json}::json)
      `.execute(tx);
    }
    const { rows: counted } = await sql<{ count: number }>`
      select count(*) as count from ${target}
    `.execute(tx);
    if (counted[0]?.count !== rows) throw damaged(`rows of ${name} are missing`);
  }
  for (const { table, column, last } of manifest.numbers) {
    await sql`select setval(pg_get_serial_sequence(${table}, ${column}), ${last}::bigint)`.execute(tx);
  }
  for (const { table, name, definition } of constraints.rows) {
    await sql.raw(`alter table ${table} add constraint ${name} ${definition}`).execute(tx);
  }
}

function damaged(how: string): AppError {
  return new AppError("invalid_file", `The backup is damaged: ${how}. Use another one.`);
}
