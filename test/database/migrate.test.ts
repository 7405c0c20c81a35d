import { sql } from "kysely";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { checksumOf, findPending, migrate } from "../../src/database/migrate.ts";
import { migrations, usableFrom } from "../../src/database/migrations/index.ts";
import { openTestDatabase, readTables } from "../support/database.ts";
import { hasServer } from "../support/services.ts";

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

describe("a database of a newer version", () => {
  const own = { "0200-baseline": "create table castellan.cases ()", "0218-own": "select 1" };
  const newer = { ...own, "0219-newer": "alter table castellan.cases add column note text" };
  const refusal = { code: "database_unavailable", message: expect.stringContaining("0219-newer") };
  const require = (usableFrom: string | null) =>
    sql`update castellan.migrations set usable_from = ${usableFrom} where name = '0219-newer'`.execute(
      database.query,
    );

  test("that only added something is used as it is", async () => {
    await migrate(database, newer);
    expect(await migrate({ ...database, transaction: refuse }, own)).toEqual([]);
    expect(await findPending(database, own)).toEqual([]);
    expect(await migrate(database, newer)).toEqual([]);
  });

  test("is used by the versions that it names, and left alone by others", async () => {
    await migrate(database, newer);
    await require("0218-own");
    expect(await migrate(database, own)).toEqual([]);
    const earlier = { "0200-baseline": own["0200-baseline"] };
    const before = await readTables(database.query);
    await expect(migrate(database, earlier)).rejects.toMatchObject(refusal);
    await expect(findPending(database, earlier)).rejects.toMatchObject(refusal);
    expect(await readTables(database.query)).toEqual(before);
    // Applied by a version that did not say it yet.
    await require(null);
    await expect(migrate(database, own)).rejects.toMatchObject(refusal);
  });

  test("that lacks a step of this one is left alone, because the order would be another", async () => {
    await migrate(database, newer);
    await sql`delete from castellan.migrations where name = '0218-own'`.execute(database.query);
    await expect(migrate(database, own)).rejects.toMatchObject(refusal);
  });
});

test("migrations only add, unless they say which version can use the database after them", () => {
  const removing =
    /\b(drop (table|column|view|function|trigger)|rename|alter column \w+ (type|set not null)|add column (?![^,;]*\bdefault\b)[^,;]*\bnot null)\b/i;
  const others = Object.entries(migrations).filter(([name]) => usableFrom[name] === undefined);
  const changing = others.filter(([, migration]) => removing.test(String(migration)));
  expect(changing.map(([name]) => name)).toEqual([]);
  expect(removing.test(String(migrations["0202-no-caches-of-the-network"]))).toBe(true);
  const names = Object.keys(migrations);
  for (const [name, from] of Object.entries(usableFrom)) {
    expect(names).toContain(name);
    expect(names.slice(0, names.indexOf(name) + 1)).toContain(from);
  }
});

test.runIf(hasServer)("a migration waits for a long transaction without holding up others", async () => {
  const first = { "0201-one": "create table castellan.cases (id int)" };
  const list = { ...first, "0202-two": "alter table castellan.cases add column note text" };
  await migrate(database, first);
  const reader = await database.pool.connect();
  await reader.query("begin");
  await reader.query("select * from castellan.cases");
  const busy: string[] = [];
  const migrating = migrate(database, list, { onBusy: (message) => void busy.push(message) });
  const waiting = sql<{ count: number }>`
    select count(*)::int as count from pg_locks where not granted and relation = 'castellan.cases'::regclass
  `;
  await expect.poll(async () => (await waiting.execute(database.query)).rows[0]?.count).toBe(1);
  // Behind the migration, which gives up while the first reader goes on.
  await database.pool.query("select * from castellan.cases");
  expect(await findPending(database, list)).toEqual(["0202-two"]);
  await reader.query("commit");
  reader.release();
  expect(await migrating).toEqual(["0202-two"]);
  expect(new Set(busy)).toEqual(new Set([expect.stringContaining("another transaction uses its tables")]));
});
