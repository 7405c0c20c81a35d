import { sql } from "kysely";
import { afterAll, beforeEach, expect, test } from "vitest";
import { openTestDatabase } from "../support/database.ts";

const database = await openTestDatabase();
afterAll(() => database.close());
beforeEach(() => database.truncate());

async function one(statement: string, ...values: unknown[]): Promise<unknown> {
  const { rows } = await database.pool.query<{ value: unknown }>(
    `select (select ${statement}) as value`,
    values,
  );
  return rows[0]?.value;
}

test("int8 and counts arrive as numbers, and as BigInt where a number would lose digits", async () => {
  expect(await one("count(*) from (values (1), (2)) as t")).toBe(2);
  expect(await one("9007199254740991::int8")).toBe(9007199254740991);
  expect(await one("9007199254740993::int8")).toBe(9007199254740993n);
  expect(await one("array[1, null, 9007199254740993]::int8[]")).toEqual([1, null, 9007199254740993n]);
});

test("bytea arrives as a plain Uint8Array and is taken as one", async () => {
  const bytes = Uint8Array.of(0, 92, 255);
  expect(await one("$1::bytea", bytes)).toStrictEqual(bytes);
});

test("jsonb, arrays, booleans and times keep their values", async () => {
  expect(await one("$1::jsonb", { a: [1, "two"] })).toEqual({ a: [1, "two"] });
  expect(await one("$1::int8[]", [1, 2])).toEqual([1, 2]);
  expect(await one("$1::boolean", false)).toBe(false);
  expect(await one("$1::timestamptz", new Date(1_700_000_000_000))).toEqual(new Date(1_700_000_000_000));
});

test.runIf(database.engine === "server")("a server compiles none of our statements", async () => {
  const { rows } = await database.pool.query("show jit");
  expect(rows).toEqual([{ jit: "off" }]);
});

test("an error of Postgres arrives with its state and constraint, and the connection stays usable", async () => {
  const insert = database.query.insertInto("network.bot_allowlist").values({ fid: 1 });
  await insert.execute();
  await expect(insert.execute()).rejects.toMatchObject({ code: "23505", constraint: "bot_allowlist_pkey" });
  expect(await one("1")).toBe(1);
});

test("a transaction commits what its work returns and rolls back what it throws", async () => {
  const add = (fid: number) => database.query.insertInto("network.bot_allowlist").values({ fid });
  await add(1).execute();
  await expect(
    database.transaction(async (tx) => {
      await tx.insertInto("network.bot_allowlist").values({ fid: 2 }).execute();
      throw new Error("changed my mind");
    }),
  ).rejects.toThrow("changed my mind");
  const result = await database.transaction(async (tx) => {
    await tx.insertInto("network.bot_allowlist").values({ fid: 3 }).execute();
    return tx.selectFrom("network.bot_allowlist").select("fid").orderBy("fid").execute();
  });
  expect(result).toEqual([{ fid: 1 }, { fid: 3 }]);
});

test("two transactions at once do not mix", async () => {
  const fill = (from: number, fail: boolean) =>
    database.transaction(async (tx) => {
      for (let fid = from; fid < from + 20; fid += 1) {
        await tx.insertInto("network.bot_allowlist").values({ fid }).execute();
      }
      if (fail) throw new Error("undo");
    });
  const outcome = await Promise.allSettled([fill(100, false), fill(200, true), fill(300, false)]);
  expect(outcome.map((each) => each.status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  const { rows } =
    await sql`select count(*) as kept, max(fid) as last from network.bot_allowlist where fid < 200
    or fid >= 300`.execute(database.query);
  expect(rows).toEqual([{ kept: 40, last: 319 }]);
  expect(await one("count(*) from network.bot_allowlist")).toBe(40);
});

test("truncate puts back the rows that migrations made", async () => {
  await database.query.updateTable("network.stream_heads").set({ last_id: 9 }).execute();
  await database.truncate();
  const heads = await database.query
    .selectFrom("network.stream_heads")
    .selectAll()
    .orderBy("stream")
    .execute();
  expect(heads).toEqual([
    { stream: "blocks", last_id: 0 },
    { stream: "hub_events", last_id: 0 },
    { stream: "transfers", last_id: 0 },
  ]);
});
