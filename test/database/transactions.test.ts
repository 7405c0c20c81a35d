import { EventEmitter, once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { connectEngine } from "../../src/database/connect.ts";
import type { Engine } from "../../src/database/embedded/session.ts";
import type { Tx } from "../../src/database/database.ts";
import type * as Transactions from "../../src/database/transactions.ts";
import { afterCommit } from "../../src/database/transactions.ts";
import { useTestDatabase } from "../support/test-cases.ts";

const database = await useTestDatabase();

const misused = expect.objectContaining({ code: "database_misused" });
const add = (fid: number) => database.query.insertInto("network.bot_allowlist").values({ fid }).execute();
const readAll = () =>
  database.query.selectFrom("network.bot_allowlist").select("fid").orderBy("fid").execute();

test.each<[string, () => Promise<unknown>]>([
  ["database.query", () => add(1)],
  ["database.pool", () => database.pool.query("select 1")],
  ["another transaction", () => database.transaction(async () => {})],
])("%s inside a transaction fails at once, and later calls work", async (_what, misuse) => {
  const error = await database.transaction(() => misuse()).catch((error: unknown) => error);
  expect(error).toEqual(misused);
  expect(String(error)).toContain("transactions.test.ts");
  await add(2);
  expect(await readAll()).toEqual([{ fid: 2 }]);
});

test("a call that nobody awaits is refused too, and the transaction goes on", async () => {
  let refusal: unknown;
  await database.transaction(async (tx) => {
    add(1).catch((error: unknown) => (refusal = error));
    await tx.insertInto("network.bot_allowlist").values({ fid: 2 }).execute();
  });
  expect(refusal).toEqual(misused);
  expect(await readAll()).toEqual([{ fid: 2 }]);
});

test("the guard ends with the transaction", async () => {
  await database.transaction(async (tx) => {
    await tx.insertInto("network.bot_allowlist").values({ fid: 1 }).execute();
  });
  await add(2);
  expect(await readAll()).toEqual([{ fid: 1 }, { fid: 2 }]);
});

test("what follows the commit runs after it, once, and not at all where all is rolled back", async () => {
  const done: string[] = [];
  const follow = () => void done.push("followed");
  const commit = async (tx: Tx, fid: number) => {
    await tx.insertInto("network.bot_allowlist").values({ fid }).execute();
    afterCommit(follow);
    afterCommit(follow);
    done.push("written");
  };
  await database.transaction((tx) => commit(tx, 1));
  expect(done).toEqual(["written", "followed"]);
  await expect(database.transaction((tx) => commit(tx, 1))).rejects.toThrow(/duplicate|unique/);
  await expect(
    database.transaction(async (tx) => {
      await commit(tx, 2);
      throw new Error("rolled back");
    }),
  ).rejects.toThrow("rolled back");
  expect(done).toEqual(["written", "followed", "written"]);
  expect(() => afterCommit(follow)).toThrow(/outside a transaction/);
});

test("while no transaction runs, promises are not followed, which costs each of them more than most do", async () => {
  // A copy of the module that no other test in this process shares, with transactions of its own under way.
  const copy = "../../src/database/transactions.ts?alone";
  const alone = (await import(copy)) as typeof Transactions;
  const transact = alone.createTransaction(database.query);
  const gate = new EventEmitter();
  const opened = once(gate, "opened");
  let left: Promise<unknown> = Promise.resolve();
  await transact(async () => {
    expect(alone.transactionOrigin()).toBeDefined();
    left = opened.then(() => alone.transactionOrigin());
  });
  gate.emit("opened");
  expect(await left).toBeUndefined();
});

test("the guard of one transaction outlives the end of another", async () => {
  const elsewhere = connectEngine(createToyEngine());
  const other = new EventEmitter();
  const ended = once(other, "ended");
  const guarded = database.transaction(async () => {
    await ended;
    return add(1);
  });
  await elsewhere.transaction((tx) => sql`select 1`.execute(tx));
  other.emit("ended");
  await expect(guarded).rejects.toEqual(misused);
  await elsewhere.close();
});

test("others may use the database while a transaction runs", async () => {
  const transaction = database.transaction(async (tx) => {
    await tx.insertInto("network.bot_allowlist").values({ fid: 1 }).execute();
    await sleep(50);
  });
  await Promise.all([transaction, add(2), database.transaction(async () => {})]);
  expect(await readAll()).toEqual([{ fid: 1 }, { fid: 2 }]);
});

test("a client given back in the middle of a transaction leaves nothing of it", async () => {
  const client = await database.pool.connect();
  await client.query("begin");
  await client.query("insert into network.bot_allowlist values (1)");
  client.release();
  await add(2);
  expect(await readAll()).toEqual([{ fid: 2 }]);
});

async function failAtFirst(failures: number): Promise<number> {
  let attempts = 0;
  await database.transaction(async (tx) => {
    attempts += 1;
    await tx.insertInto("network.bot_allowlist").values({ fid: attempts }).execute();
    if (attempts <= failures) throw Object.assign(new Error("could not serialize"), { code: "40001" });
  });
  return attempts;
}

test("a serialization failure is tried again with a fresh transaction, three times at most", async () => {
  expect(await failAtFirst(3)).toBe(4);
  expect(await readAll()).toEqual([{ fid: 4 }]);
  await database.truncate();
  await expect(failAtFirst(4)).rejects.toThrow("could not serialize");
  expect(await readAll()).toEqual([]);
});

test("a row that another transaction stored a moment ago is seen by the retry", async () => {
  await add(1);
  let attempts = 0;
  const outcome = await database.transaction(async (tx) => {
    attempts += 1;
    // The first attempt looked before the other transaction committed.
    const known = attempts > 1 ? await tx.selectFrom("network.bot_allowlist").select("fid").execute() : [];
    if (known.length > 0) return "already there";
    await tx.insertInto("network.bot_allowlist").values({ fid: 1 }).execute();
    return "stored";
  });
  expect([outcome, attempts]).toEqual(["already there", 2]);
});

/** An engine that only knows whether it is in a transaction, which is all that waiting is about. */
function createToyEngine(asked: string[] = []): Engine {
  let status = "I";
  return {
    execute: async (request) => {
      asked.push(Buffer.from(request).toString("latin1", 5).replaceAll("\0", ""));
      const text = Buffer.from(request).toString("latin1");
      if (text.includes("begin")) status = "T";
      if (text.includes("commit")) status = "I";
      return Buffer.from(`C\0\0\0\u0007ok\0Z\0\0\0\u0005${status}`, "latin1");
    },
    close: async () => {},
  };
}

test("a wait for the embedded engine that times out names where the open transaction began", async () => {
  const busy = connectEngine(createToyEngine(), { waitLimit: 100 });
  const transaction = new EventEmitter();
  const begun = once(transaction, "begun");
  const held = busy.transaction(async (tx) => {
    await sql`select 1`.execute(tx);
    transaction.emit("begun");
    await sleep(400);
  });
  await begun;
  await expect(busy.pool.query("select 1")).rejects.toMatchObject({
    code: "database_unavailable",
    cause: { code: "55P03", message: expect.stringContaining("transactions.test.ts") },
  });
  await held;
  await expect(busy.pool.query("select 1")).resolves.toBeDefined();
  await busy.close();
});

test("a transaction that waits too long to begin fails, and nothing of it is done", async () => {
  const asked: string[] = [];
  const busy = connectEngine(createToyEngine(asked), { waitLimit: 100 });
  const holder = await busy.pool.connect();
  await holder.query("begin");
  const late = busy.transaction((tx) => sql`select 'late'`.execute(tx));
  await expect(late).rejects.toMatchObject({ code: "database_unavailable", cause: { code: "55P03" } });
  await holder.query("commit");
  await busy.transaction((tx) => sql`select 'afterwards'`.execute(tx));
  expect(asked).toEqual(["begin", "commit", "begin", "select 'afterwards'", "commit"]);
  holder.release();
  await busy.close();
});
