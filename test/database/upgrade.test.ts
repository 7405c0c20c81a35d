import { createReadStream } from "node:fs";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { gzipSync } from "node:zlib";
import { sql } from "kysely";
import { afterAll, afterEach, beforeEach, describe, expect, test } from "vitest";
import { archiveEnd } from "../../src/archive/pack.ts";
import { connectDirectory } from "../../src/database/connect.ts";
import type { Database } from "../../src/database/database.ts";
import { isUpToDate, migrate } from "../../src/database/migrate.ts";
import { migrations } from "../../src/database/migrations/index.ts";
import { copyPortable, fillFromPortable, packPortable } from "../../src/start/backup-archive.ts";
import { restore } from "../../src/start/restore.ts";
import { openTestDatabase } from "../support/database.ts";
import { hasServer } from "../support/services.ts";
import { countBridge, unpackBridge } from "../support/database-template.ts";

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "castellan-upgrade-"));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

/** Rows of every table of ours but the ledger and the id of the installation, each as text, in an order of their own. */
async function readAll({ query }: Database): Promise<Record<string, string[]>> {
  const tables = await sql<{ name: string }>`
    select format('%I.%I', table_schema, table_name) as name from information_schema.tables
    where table_schema in ('network', 'castellan') and table_name not in ('migrations', 'installation') order by 1
  `.execute(query);
  const all: Record<string, string[]> = {};
  for (const { name } of tables.rows) {
    // Numbers of transactions differ from database to database, and so do the nonces and tags that a migration draws.
    const rows = await sql<{ row: string }>`
      select (to_jsonb(t) - '{changed_in,deleted_in,nonce,tag}'::text[])::text as row from ${sql.raw(name)} t
    `.execute(query);
    all[name] = rows.rows.map(({ row }) => row).toSorted();
  }
  return all;
}

/** What the schemas are made of. Columns may stand in another order. */
async function readCatalog({ query }: Database): Promise<unknown[]> {
  const { rows } = await sql`
    select 'column' as part, concat_ws(' ', attrelid::regclass, attname, format_type(atttypid, atttypmod), attnotnull, attidentity,
      attgenerated, pg_get_expr(adbin, adrelid)) as definition
    from pg_attribute join pg_class on pg_class.oid = attrelid left join pg_attrdef on adrelid = attrelid and adnum = attnum
    where relnamespace in ('network'::regnamespace, 'castellan'::regnamespace) and relkind = 'r' and attnum > 0 and not attisdropped
    union all select 'constraint', concat_ws(' ', conrelid::regclass, conname, pg_get_constraintdef(oid)) from pg_constraint
    where connamespace in ('network'::regnamespace, 'castellan'::regnamespace)
    union all select 'index', indexdef from pg_indexes where schemaname in ('network', 'castellan')
    union all select 'view', concat_ws(' ', viewname, definition) from pg_views where schemaname in ('network', 'castellan')
    union all select 'function', pg_get_functiondef(oid) from pg_proc
    where pronamespace in ('network'::regnamespace, 'castellan'::regnamespace)
    union all select 'trigger', pg_get_triggerdef(oid) from pg_trigger where not tgisinternal
    order by 1, 2
  `.execute(query);
  return rows;
}

const countAll = async (database: Database) =>
  Object.fromEntries(Object.entries(await readAll(database)).map(([name, rows]) => [name, rows.length]));

async function withBridge<T>(work: (database: Database) => Promise<T>): Promise<T> {
  const home = join(directory, "first");
  await unpackBridge(home);
  const database = await connectDirectory(join(home, "database"));
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

test(
  "the data of the bridge has rows in every table, and is taken over as it is",
  { timeout: 900_000 },
  async () => {
    await withBridge(async (database) => {
      const { "castellan.migrations": _, "castellan.installation": __, ...counts } = await countBridge();
      expect(Object.entries(counts).filter(([, count]) => count === 0)).toEqual([]);
      const before = await readAll(database);
      const { "0200-baseline": baseline = "" } = migrations;
      expect(await migrate(database, { "0200-baseline": baseline })).toEqual(["0200-baseline"]);
      expect(await readAll(database)).toEqual(before);
      expect(await countAll(database)).toMatchObject(counts);
      expect(await migrate(database)).toEqual(Object.keys(migrations).slice(1));
      expect(await migrate(database)).toEqual([]);
      const adopted = await readCatalog(database);
      await sql`drop schema network, castellan cascade`.execute(database.query);
      await migrate(database);
      expect(await readCatalog(database)).toEqual(adopted);
    });
  },
);

/** Makes a database with the baseline look as if the bridge had made and filled it: the same rows and ledger. */
async function copyBridge(from: Database, to: Database): Promise<void> {
  const { rows: tables } = await sql<{ name: string; columns: string }>`
    select format('%I.%I', table_schema, table_name) as name, string_agg(quote_ident(column_name), ', ') as columns
    from information_schema.columns join information_schema.tables using (table_schema, table_name)
    where table_schema in ('network', 'castellan') and table_type = 'BASE TABLE' and is_generated = 'NEVER' and udt_name <> 'xid8'
    group by table_schema, table_name
  `.execute(from.query);
  const filled: { name: string; columns: string; rows: string }[] = [];
  for (const table of tables) {
    const { rows } = await sql<{ all: string | null }>`
      select json_agg(t)::text as all from ${sql.raw(table.name)} t
    `.execute(from.query);
    filled.push({ ...table, rows: rows[0]?.all ?? "[]" });
  }
  await to.transaction(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx);
    for (const table of filled) {
      const [name, columns] = [sql.raw(table.name), sql.raw(table.columns)];
      await sql`delete from ${name}`.execute(tx);
      await sql`
        insert into ${name} (${columns}) overriding system value
        select ${columns} from json_populate_recordset(null::${name}, ${table.rows}::json)
      `.execute(tx);
    }
    await sql`
      do $$ declare one record; begin
        for one in select format('%I.%I', table_schema, table_name) as name, column_name as id from information_schema.columns
          where table_schema in ('network', 'castellan') and is_identity = 'YES'
        loop execute format('select setval(pg_get_serial_sequence(%L, %L), coalesce(max(%I), 1)) from %s', one.name, one.id, one.id, one.name);
        end loop; end $$
    `.execute(tx);
  });
}

test.runIf(hasServer)(
  "a server with the schema and the rows of the bridge is taken over as it is, too",
  { timeout: 900_000 },
  async () => {
    const target = await openTestDatabase();
    await sql`drop schema if exists network, castellan cascade`.execute(target.query);
    // The test above compares this schema with the bridge's.
    const { "0200-baseline": baseline = "" } = migrations;
    await migrate(target, { "0200-baseline": baseline });
    const [original, migrated] = await withBridge(async (database) => {
      await copyBridge(database, target);
      const before = await readAll(database);
      await migrate(database);
      return [before, await readAll(database)];
    });
    expect(await readAll(target)).toEqual(original);
    expect(await migrate(target, { "0200-baseline": baseline })).toEqual(["0200-baseline"]);
    expect(await readAll(target)).toEqual(original);
    expect(await migrate(target)).toEqual(Object.keys(migrations).slice(1));
    expect(await readAll(target)).toEqual(migrated);
    expect(await migrate(target)).toEqual([]);
    await target.close();
  },
);

test("data of before the bridge is refused and left alone, with what to do", async () => {
  await withBridge(async (database) => {
    await sql`delete from castellan.migrations where name = '0200-standard-names'`.execute(database.query);
    const before = await readAll(database);
    const refusal = { code: "database_unavailable", message: expect.stringContaining("bridge-0200") };
    await expect(migrate(database)).rejects.toMatchObject(refusal);
    await expect(isUpToDate(database)).rejects.toMatchObject(refusal);
    expect(await readAll(database)).toEqual(before);
    await copyPortable(database, directory);
  });
  const target = await openTestDatabase();
  await sql`drop schema if exists network, castellan cascade`.execute(target.query);
  await expect(fillFromPortable(target, directory)).rejects.toMatchObject({
    code: "invalid_file",
    message: expect.stringContaining("bridge-0200"),
  });
  await target.close();
});

describe("a portable copy", { timeout: 900_000 }, () => {
  const target = openTestDatabase();
  beforeEach(async () => {
    await sql`drop schema if exists network, castellan cascade`.execute((await target).query);
  });
  afterAll(async () => (await target).close());

  test("of the bridge fills any database, which is then up to date and goes on counting", async () => {
    const original = await withBridge(async (database) => {
      await copyPortable(database, directory);
      await migrate(database);
      return readAll(database);
    });
    const database = await target;
    await fillFromPortable(database, directory);
    expect(await readAll(database)).toEqual(original);
    expect(await migrate(database)).toEqual([]);
    const next = await sql<{ id: number; most: number }>`
      insert into castellan.gaps (source, from_at, until_at, found_at_ms) values ('hub', 1, 2, 3)
      returning id, (select max(id) from castellan.gaps) as most
    `.execute(database.query);
    expect(next.rows[0]?.id).toBe((next.rows[0]?.most ?? 0) + 1);
    const foreign = await sql<{ count: number }>`
      select count(*) as count from pg_constraint where contype = 'f' and convalidated
    `.execute(database.query);
    expect(foreign.rows[0]?.count).toBeGreaterThan(10);
  });

  test("is refused whole where a part is missing, and where the database is in use", async () => {
    await withBridge((database) => copyPortable(database, directory));
    const database = await target;
    const file = join(directory, "portable", "network.casts", "1.jsonl");
    const whole = await readFile(file, "utf8");
    await writeFile(file, whole.slice(whole.indexOf("\n") + 1));
    await expect(fillFromPortable(database, directory)).rejects.toMatchObject({
      code: "invalid_file",
      message: expect.stringContaining("rows of network.casts are missing"),
    });
    await writeFile(file, whole);
    await fillFromPortable(database, directory);
    await expect(fillFromPortable(database, directory)).rejects.toMatchObject({
      code: "invalid_configuration",
      message: expect.stringContaining("already has Castellan data"),
    });
  });

  test("restores from an archive into a new data directory", async () => {
    const archive = join(directory, "portable.tar.gz");
    const original = await withBridge(async (database) => {
      const parts: Uint8Array[] = [];
      for await (const part of packPortable(database)) parts.push(part);
      await writeFile(archive, gzipSync(Buffer.concat([...parts, archiveEnd])));
      await migrate(database);
      return readAll(database);
    });
    const restored = join(directory, "restored");
    expect(await restore(restored, createReadStream(archive))).toEqual(["database"]);
    const database = await connectDirectory(join(restored, "database"));
    try {
      expect(await readAll(database)).toEqual(original);
    } finally {
      await database.close();
    }
  });
});

test("a torn backup leaves nothing where there was nothing", async () => {
  const home = join(directory, "new");
  const torn = Readable.from([gzipSync(Buffer.alloc(300))]);
  await expect(restore(home, torn)).rejects.toMatchObject({ code: "invalid_file" });
  expect(await readdir(directory)).toEqual([]);
});
