import { openAsBlob } from "node:fs";
import type { Pool } from "pg";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { Session, type Engine } from "../../../src/database/embedded/session.ts";
import { SessionSocket } from "../../../src/database/embedded/socket.ts";
import { withPreparedStatements } from "../../../src/database/embedded/statements.ts";
import { createPool } from "../../../src/database/pool.ts";
import { openInlineEngine, prepareTemplateFile, templateFile } from "../../support/database-template.ts";

let engine: Engine;
let pools: Pool[];
beforeAll(async () => {
  await prepareTemplateFile();
  engine = await openInlineEngine({ loadDataDir: await openAsBlob(templateFile()) });
  const session = new Session(withPreparedStatements(engine), 5_000);
  pools = [0, 1].map(() => createPool({ stream: () => new SessionSocket(session) }));
});
afterAll(async () => {
  for (const pool of pools) await pool.end();
  await engine.close();
});
beforeEach(async () => {
  await pools[0]?.query("drop table if exists public.notes");
  await pools[0]?.query("create table public.notes (id int primary key, text text)");
});

/** Sends it from one client after the other, and gives each answer's rows. */
async function ask(sql: string, values: unknown[], times = 1): Promise<unknown[][]> {
  const answers: unknown[][] = [];
  for (let time = 0; time < times; time += 1) {
    answers.push((await pools[time % 2]?.query(sql, values))?.rows ?? []);
  }
  return answers;
}

test("a statement is parsed anew once, then shared by all clients, and planned each time", async () => {
  const sql = "select $1::int + 20 as sum";
  expect(await ask(sql, [2], 6)).toEqual(Array.from({ length: 6 }, () => [{ sum: 22 }]));
  const plans = "select custom_plans::int as plans from pg_prepared_statements where statement like $1";
  expect(await ask(plans, ["%+ 20%"])).toEqual([[{ plans: 5 }]]);
});

test("clients that ask the same at once are all answered, while it is parsed and after", async () => {
  const sql = "select $1::int + 30 as sum";
  await ask(sql, [1]);
  const atOnce = () =>
    Promise.all(Array.from({ length: 4 }, async (_, index) => pools[index % 2]?.query(sql, [1])));
  for (let time = 0; time < 2; time += 1) {
    expect((await atOnce()).map((answer) => answer?.rows)).toEqual(
      Array.from({ length: 4 }, () => [{ sum: 31 }]),
    );
  }
  const named = "select count(*)::int as count from pg_prepared_statements where statement like $1";
  expect(await ask(named, ["%+ 30%"])).toEqual([[{ count: 1 }]]);
});

test("what a table became is seen, whatever asked before", async () => {
  await ask("insert into public.notes values ($1, $2)", [1, "old"]);
  const sql = "select * from public.notes where id = $1";
  expect(await ask(sql, [1], 3)).toEqual(Array.from({ length: 3 }, () => [{ id: 1, text: "old" }]));
  await pools[0]?.query("alter table public.notes add column place text default 'here'");
  expect(await ask(sql, [1], 3)).toEqual(
    Array.from({ length: 3 }, () => [{ id: 1, text: "old", place: "here" }]),
  );
});

test("a mistake stays that statement's own, in a transaction too", async () => {
  const client = await pools[0]?.connect();
  const wrong = "select nothing from public.notes where id = $1";
  for (let time = 0; time < 3; time += 1) {
    await expect(client?.query(wrong, [1])).rejects.toMatchObject({ code: "42703" });
  }
  const twice = "insert into public.notes values ($1, 'twice')";
  await client?.query("begin");
  await client?.query(twice, [1]);
  await expect(client?.query(twice, [1])).rejects.toMatchObject({ code: "23505" });
  await expect(client?.query(twice, [2])).rejects.toMatchObject({ code: "25P02" });
  await client?.query("rollback");
  client?.release();
  expect(await ask(twice, [1], 1)).toEqual([[]]);
  expect(await ask("select id from public.notes where text = $1", ["twice"], 3)).toEqual(
    Array.from({ length: 3 }, () => [{ id: 1 }]),
  );
});

test("no more are kept than the engine has room for", async () => {
  for (let each = 0; each < 300; each += 1) await ask(`select $1::int * ${each} as product`, [2], 2);
  const few = "select count(*) <= 257 as few from pg_prepared_statements where $1";
  expect(await ask(few, [true])).toEqual([[{ few: true }]]);
  expect(await ask("select $1::int * 7 as product", [2], 3)).toEqual([
    [{ product: 14 }],
    [{ product: 14 }],
    [{ product: 14 }],
  ]);
});
