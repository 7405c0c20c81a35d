import { Client } from "pg";
import { connectServer, unlimited } from "../src/database/connect.ts";
import type { TestDatabase } from "../test/support/database.ts";
import { databaseUrl, prepareTemplate, templateName } from "../test/support/database-template.ts";
import { seedRights } from "../test/support/seed-rights.ts";
import { createWorld } from "../test/support/world.ts";
import { administer } from "./bench-database.ts";
import { write } from "./figures.ts";
import { afterwards, describeRows } from "./year-rows.ts";

/** The end of the year, UNIX seconds: the time at which the scene's clock starts. */
export const yearEnd = 1_700_000_000;

/** A database of a year with that many events, to make copies of: filled once per server and schema. */
export async function prepareYear(server: string, events: number): Promise<string> {
  await prepareTemplate();
  const name = `castellan_year_${events}_${templateName().slice(-8)}`;
  const unfinished = `unfinished_${name}`;
  if (await exists(server, name)) return name;
  await administer(server, `drop database if exists ${unfinished}`);
  await administer(server, `create database ${unfinished} template ${templateName()}`);
  await seedScene(databaseUrl(server, unfinished));
  await fill(databaseUrl(server, unfinished), events);
  await administer(server, `alter database ${unfinished} rename to ${name}`);
  return name;
}

async function exists(server: string, name: string): Promise<boolean> {
  const client = new Client({ connectionString: server });
  await client.connect();
  const { rowCount } = await client.query("select from pg_database where datname = $1", [name]);
  await client.end();
  return rowCount === 1;
}

/** A connection as the product has it. Nothing is put back: the database is dropped. */
export function openYear(url: string, options = {}): TestDatabase {
  const nothing = async () => {};
  return { ...connectServer(url, options), truncate: nothing, keep: async () => nothing };
}

/** One server whose channel everybody may moderate, as the table of rights has it. It becomes the largest. */
async function seedScene(url: string): Promise<void> {
  const bot = await createWorld(undefined, {}, openYear(url, unlimited));
  await seedRights(bot);
  await bot.database.close();
}

/** Indexes are made when the rows are there, which takes a third of the time. */
async function fill(url: string, events: number): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  const began = performance.now();
  const elapsed = () => `${((performance.now() - began) / 1000).toFixed(0)} s`;
  try {
    await client.query("set session_replication_role = replica");
    await client.query("set jit = off");
    await client.query("set maintenance_work_mem = '512MB'");
    await client.query("select setseed(0.5)");
    const { rows: indexes } = await client.query<{ name: string; definition: string }>(`
      select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition from pg_index
      join pg_class on pg_class.oid = indrelid join pg_namespace on pg_namespace.oid = relnamespace
      where nspname in ('castellan', 'network') and not exists (select from pg_constraint where conindid = indexrelid)`);
    for (const { name } of indexes) await client.query(`drop index ${name}`);
    for (const [table, statement] of describeRows(events, yearEnd)) {
      await client.query(`insert into ${table} ${statement}`);
      if (process.env["BENCH_VERBOSE"]) write(`  ${elapsed()}: ${table}`);
    }
    write(`rows after ${elapsed()}`);
    for (const { definition } of indexes) await client.query(definition);
    for (const statement of afterwards(events)) await client.query(statement);
    await client.query("vacuum analyze");
    write(`a year of ${events} events, filled in ${elapsed()}`);
  } finally {
    await client.end();
  }
}
