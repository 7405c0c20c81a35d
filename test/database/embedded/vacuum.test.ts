import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { afterEach, beforeEach, expect, test } from "vitest";
import { connectDirectory } from "../../../src/database/connect.ts";
import type { Database } from "../../../src/database/database.ts";
import { vacuumTables } from "../../../src/database/embedded/vacuum.ts";
import { fillDirectory } from "../../support/database-template.ts";

let directory: string;
let database: Database;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "castellan-test-"));
  await fillDirectory(directory);
});

afterEach(async () => {
  await database.close();
  await rm(directory, { recursive: true });
});

async function run(statement: string): Promise<void> {
  await sql.raw(statement).execute(database.query);
}

async function readState(table: string) {
  const { rows } = await sql<{ dead: number; known: number; pages: number }>`
    select n_dead_tup as dead, (select count(*) from pg_stats where tablename = relname) as known,
      pg_relation_size(relid) / 8192 as pages
    from pg_stat_all_tables where relname = ${table}
  `.execute(database.query);
  return rows[0];
}

test("what many rows left behind is used again, and the planner knows the table", async () => {
  database = await connectDirectory(directory);
  await run("create table public.visits (id int primary key, place text)");
  await run("create index visits_place on public.visits (place)");
  await run("insert into public.visits select n, 'a' || n from generate_series(1, 5000) n");
  expect(await vacuumTables(database.query)).toContain("public.visits");
  for (let round = 0; round < 4; round += 1) {
    await run(`update public.visits set place = 'round ${round} ' || id`);
    expect(await vacuumTables(database.query)).toContain("public.visits");
  }
  const state = await readState("visits");
  expect(state).toMatchObject({ dead: 0, known: 2 });
  // Five thousand rows take some thirty pages, and an update as many again.
  expect(state?.pages).toBeLessThan(100);
  expect(await vacuumTables(database.query)).not.toContain("public.visits");
});

test("it happens by itself, and a directory that closes meanwhile is whole", async () => {
  database = await connectDirectory(directory, { vacuumEvery: 20 });
  await run("create table public.visits (id int primary key)");
  await run("insert into public.visits select generate_series(1, 5000)");
  await expect.poll(async () => (await readState("visits"))?.known).toBe(1);
  await run("delete from public.visits where id > 1");
  await database.close();
  database = await connectDirectory(directory);
  const { rows } = await sql<{ id: number }>`select id from public.visits`.execute(database.query);
  expect(rows).toEqual([{ id: 1 }]);
});

test("while the disk is short of space nothing is vacuumed, and later it is", async () => {
  let free = 2 ** 30;
  database = await connectDirectory(directory, { vacuumEvery: 20, readFree: async () => free });
  await run("create table public.visits (id int primary key)");
  free = 0;
  await expect.poll(() => database.trouble()).toContain("full");
  // A look that was begun before is over by then: its statements and these take turns.
  for (let turn = 0; turn < 100; turn += 1) await run("select 1");
  // As one who asks for writing by name may, though the database has set itself to reading.
  await run("begin read write; insert into public.visits select generate_series(1, 5000); commit");
  await sleep(500);
  expect((await readState("visits"))?.known).toBe(0);
  free = 2 ** 30;
  await expect.poll(async () => (await readState("visits"))?.known).toBe(1);
});
