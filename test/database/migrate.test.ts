import { sql } from "kysely";
import { afterAll, beforeEach, expect, test } from "vitest";
import { checksumOf, migrate } from "../../src/database/migrate.ts";
import { migrations } from "../../src/database/migrations/index.ts";
import { openTestDatabase } from "../support/database.ts";

/** The beginnings of their checksums; a new release adds its own. */
const released = { "0200-baseline": "f15de6fa8fc685f7" };

const database = await openTestDatabase();
afterAll(() => database.close());
beforeEach(() => sql`drop schema if exists network, castellan cascade`.execute(database.query));

const refuse = (): never => {
  throw new Error("it began a transaction");
};

async function tables(): Promise<unknown> {
  const { rows } = await sql`
    select table_name from information_schema.tables where table_schema in ('network', 'castellan')
    order by table_name
  `.execute(database.query);
  return rows.map((row) => Object(row).table_name);
}

test("an empty database gets everything, a second start nothing", async () => {
  expect(await migrate(database)).toEqual(Object.keys(migrations));
  const after = await tables();
  expect(after).toContain("stream_heads");
  expect(await migrate(database)).toEqual([]);
  expect(await tables()).toEqual(after);
});

test("a start that finds everything in place waits for nobody", async () => {
  await migrate(database);
  expect(await migrate({ ...database, transaction: refuse })).toEqual([]);
});

test("starters at the same moment migrate once between them", async () => {
  const applied = await Promise.all([1, 2, 3, 4].map(() => migrate(database)));
  expect(applied.flat().toSorted()).toEqual(Object.keys(migrations).toSorted());
});

test("a migration that fails is named and leaves nothing behind", async () => {
  const list = {
    "0201-good": "create table castellan.good ()",
    "0202-bad": "create table castellan.half (); select nonsense",
  };
  await expect(migrate(database, list)).rejects.toMatchObject({
    code: "database_unavailable",
    message: expect.stringMatching(/0202-bad.*nonsense/),
  });
  expect(await tables()).toEqual(["migrations"]);
});

test("a migration may be a function, and runs in order with the others", async () => {
  const list = {
    "0201-table": "create table castellan.notes (text text)",
    "0202-rows": async (tx: Parameters<Parameters<typeof database.transaction>[0]>[0]) => {
      await sql`insert into castellan.notes values ('first')`.execute(tx);
    },
  };
  expect(await migrate(database, list)).toEqual(["0201-table", "0202-rows"]);
  const { rows } = await sql`select text from castellan.notes`.execute(database.query);
  expect(rows).toEqual([{ text: "first" }]);
});

test("a migration that was changed after it ran is noticed, and one from before that is taken as it is", async () => {
  await migrate(database, { "0201-one": "select 1", "0202-two": "select 2" });
  await sql`update castellan.migrations set checksum = null where name = '0201-one'`.execute(database.query);
  await migrate(database, { "0201-one": "select 11", "0202-two": "select 2" });
  await expect(migrate(database, { "0201-one": "select 1", "0202-two": "select 2" })).rejects.toMatchObject({
    code: "database_unavailable",
    message: expect.stringMatching(/another build .*0201-one differ/),
  });
});

test("released migrations are as they were released", () => {
  const now = Object.entries(released).map(([name]) => [
    name,
    checksumOf(migrations[name] ?? "")?.slice(0, 16),
  ]);
  expect(Object.fromEntries(now)).toEqual(released);
});

test("a database of a newer version is left alone", async () => {
  await migrate(database, { "0201-one": "select 1", "0202-two": "select 2" });
  await expect(migrate(database, { "0201-one": "select 1" })).rejects.toMatchObject({
    code: "database_unavailable",
    message: expect.stringContaining("0202-two"),
  });
});
