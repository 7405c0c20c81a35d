import { sql } from "kysely";
import { afterAll, beforeEach, expect, test } from "vitest";
import { compileOnce, type Placeholders } from "../../src/database/compile-once.ts";
import { openTestDatabase } from "../support/database.ts";

const database = await openTestDatabase();
afterAll(() => database.close());

interface BotFilter {
  fid: number | undefined;
  most: number;
}

let built = 0;
const listBots = compileOnce((db, { fid, most }: Placeholders<BotFilter>) => {
  built += 1;
  const bots = db.selectFrom("network.bot_allowlist").select("fid").orderBy("fid").limit(most);
  return fid ? bots.where("fid", "=", fid) : bots;
});

beforeEach(async () => {
  await database.truncate();
  const bots = [1, 2, 3].map((fid) => ({ fid }));
  await database.query.insertInto("network.bot_allowlist").values(bots).execute();
});

test("a statement is sent with the values of each call", async () => {
  const found = await Promise.all([1, 2, 9].map((fid) => listBots(database.query, { fid, most: 5 })));
  expect(found).toEqual([[{ fid: 1 }], [{ fid: 2 }], []]);
});

test("it is built once for each set of values that are left out", async () => {
  await listBots(database.query, { fid: 1, most: 5 });
  await listBots(database.query, { fid: undefined, most: 5 });
  built = 0;
  expect(await listBots(database.query, { fid: undefined, most: 2 })).toEqual([{ fid: 1 }, { fid: 2 }]);
  expect(await listBots(database.query, { fid: 3, most: 1 })).toEqual([{ fid: 3 }]);
  expect(built).toBe(0);
});

test("what is left out need not be named", async () => {
  const show = compileOnce(
    (_db, { one, other }: Placeholders<{ one?: string; other?: string }>) =>
      sql<{
        given: string;
      }>`select ${one ? sql`${one}::text || ' is one'` : sql`${other}::text || ' is other'`} as given`,
  );
  expect(await show(database.query, { one: "this" })).toEqual([{ given: "this is one" }]);
  expect(await show(database.query, { other: "that" })).toEqual([{ given: "that is other" }]);
});

test("in a transaction it belongs to the transaction", async () => {
  const addBot = compileOnce((db, { fid }: Placeholders<{ fid: number }>) =>
    db.insertInto("network.bot_allowlist").values({ fid }).returning("fid"),
  );
  const rolledBack = database.transaction(async (tx) => {
    expect(await addBot(tx, { fid: 4 })).toEqual([{ fid: 4 }]);
    throw new Error("rolled back");
  });
  await expect(rolledBack).rejects.toThrow("rolled back");
  expect(await listBots(database.query, { fid: 4, most: 5 })).toEqual([]);
});

test("what is not of the transaction is refused in it, and what the database refuses is said by it", async () => {
  const misused = database.transaction(() => listBots(database.query, { fid: 1, most: 5 }));
  await expect(misused).rejects.toMatchObject({ code: "database_misused" });
  await expect(listBots(database.query, { fid: 1, most: -1 })).rejects.toMatchObject({ code: "2201W" });
  expect(await listBots(database.query, { fid: 1, most: 5 })).toEqual([{ fid: 1 }]);
});

test("statements that were compiled before tell how many rows they changed, as all do", async () => {
  const forget = database.query.deleteFrom("network.bot_allowlist").where("fid", "<", 3);
  const found = { rows: [], numAffectedRows: 2n };
  expect(await database.query.executeQuery(forget.compile())).toEqual(found);
  expect(await database.query.executeQuery(forget)).toEqual({ ...found, numAffectedRows: 0n });
});

test("written as SQL it keeps its own constants, and a value may come twice, or be null", async () => {
  const show = compileOnce(
    (_db, { text }: Placeholders<{ text: string | null }>) =>
      sql<{
        text: string | null;
        again: string | null;
      }>`select ${text}::text as text, ${text} || ${"!"}::text as again`,
  );
  expect(await show(database.query, { text: "hey" })).toEqual([{ text: "hey", again: "hey!" }]);
  expect(await show(database.query, { text: null })).toEqual([{ text: null, again: null }]);
});
