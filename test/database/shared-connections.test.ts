import { sql } from "kysely";
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { pointRead, type Placeholders } from "../../src/database/compile-once.ts";
import { connectServer } from "../../src/database/connect.ts";
import type { Database } from "../../src/database/database.ts";
import { openTestDatabase, recordStatements } from "../support/database.ts";
import { startRelay, type Relay } from "../support/relay.ts";

const database = await openTestDatabase();
afterAll(() => database.close());

/** Answers after so many seconds which process of the server it was, beside the number that it was given. */
const readNumber = pointRead(
  (_db, { number, after }: Placeholders<{ number: number; after: number }>) =>
    sql<{ number: number; pid: number }>`
      select ${number}::int as number, pg_backend_pid() as pid from pg_sleep(${after}::float8)`,
);
const findSleeping =
  "select from pg_stat_activity where wait_event = 'PgSleep' and datname = current_database()";
const divide = pointRead(
  (_db, { by }: Placeholders<{ by: number }>) => sql<{ quotient: number }>`select 1 / ${by}::int as quotient`,
);

describe.runIf(database.engine === "server")("point reads on a server", () => {
  let relay: Relay;
  let far: Database;
  const open = () => {
    const url = new URL(String(database.pool.options.connectionString));
    url.host = new URL(relay.url).host;
    const timeouts = { statement: 400, idleTransaction: 1_000, answer: 800, connection: 5_000 };
    return connectServer(url.href, { timeouts });
  };
  beforeEach(async () => {
    relay = await startRelay(String(database.pool.options.connectionString));
    far = open();
    // The first go over a connection of their own, for none is open that could be shared.
    const own = await findShared();
    await vi.waitUntil(async () => (await findShared()) !== own, { timeout: 60_000, interval: 1 });
  });
  afterEach(async () => {
    await far.close();
    await relay.close();
  });

  const read = (number: number, after = 0) => readNumber(far.query, { number, after });
  const readAll = async (count: number) => {
    const numbers = Array.from({ length: count }, (_, number) => number);
    const rows = (await Promise.all(numbers.map((number) => read(number)))).flat();
    expect(rows.map(({ number }) => number)).toEqual(numbers);
    return new Set(rows.map(({ pid }) => pid));
  };
  /** The process that answers them. */
  const findShared = async () => (await read(0))[0]?.pid ?? 0;

  test("share a connection, and each gets its own answer", async () => {
    expect(await readAll(16)).toEqual(new Set([await findShared()]));
    await readAll(500);
  });

  test("go another way where those ahead of them are not answered", async () => {
    const answered: string[] = [];
    const slow = read(1, 0.3).then(() => answered.push("slow"));
    const behind = Promise.all(Array.from({ length: 15 }, (_, number) => read(number)));
    for (let times = 0; times < 20; times += 1) await read(7).then(() => answered.push("another"));
    await behind;
    await slow;
    expect(answered.indexOf("slow")).toBe(20);
  });

  test("are asked again where their connection is lost, by themselves", async () => {
    const shared = await findShared();
    const waiting = Promise.all([read(1, 0.2), read(2), read(3)]);
    await database.pool.query("select pg_terminate_backend($1)", [shared]);
    const rows = (await waiting).flat();
    expect(rows.map(({ number }) => number)).toEqual([1, 2, 3]);
    expect(rows.map(({ pid }) => pid)).not.toContain(shared);
  });

  test("find another connection where theirs is lost while nobody asks", async () => {
    const shared = await findShared();
    await database.pool.query("select pg_terminate_backend($1)", [shared]);
    expect(await readAll(3)).not.toContain(shared);
    await expect.poll(() => readAll(16)).toHaveProperty("size", 1);
  });

  test("fail by themselves, and those behind them do not", async () => {
    const [failed, next] = await Promise.allSettled([divide(far.query, { by: 0 }), read(1)]);
    expect(failed).toMatchObject({ status: "rejected", reason: { code: "22012" } });
    expect(next).toMatchObject({ status: "fulfilled", value: [{ number: 1 }] });
  });

  test("are broken off when they take too long, and not asked twice", async () => {
    const sent = await recordStatements(async () => {
      const [slow, next] = await Promise.allSettled([read(1, 2), read(2)]);
      expect(slow).toMatchObject({
        reason: { code: "database_unavailable", message: expect.stringContaining("took too long") },
      });
      expect(next).toMatchObject({ value: [{ number: 2 }] });
    });
    expect(sent.map(({ values }) => values)).toEqual([
      [1, 2],
      [2, 0],
    ]);
  });

  test("end with an error where the server falls silent, and work when it can be reached anew", async () => {
    relay.silence();
    const lost = await Promise.allSettled(Array.from({ length: 10 }, (_, number) => read(number)));
    const failures = lost.filter((each) => each.status === "rejected");
    expect(failures.length).toBeGreaterThan(0);
    for (const failure of failures) expect(failure.reason).toMatchObject({ code: "database_unavailable" });
    await readAll(20);
  });

  test("say that the server is away while it is, and work when it is back", async () => {
    relay.cut();
    for (let times = 0; times < 3; times += 1) {
      await expect(read(1)).rejects.toMatchObject({ code: "database_unavailable" });
    }
    relay.fix();
    await readAll(20);
  });

  test("say so, too, where the server goes while they have a connection of their own", async () => {
    const another = open();
    const own = readNumber(another.query, { number: 1, after: 0.3 });
    await expect.poll(async () => (await database.pool.query(findSleeping)).rows).toHaveLength(1);
    relay.cut();
    await expect(own).rejects.toMatchObject({ code: "database_unavailable" });
    await another.close();
  });

  test("are not failed by a table that changes", async () => {
    await far.pool.query("create table public.changing (id int)");
    const look = pointRead(
      (_db, { id }: Placeholders<{ id: number }>) => sql`select * from public.changing where id = ${id}`,
    );
    for (let id = 0; id < 10; id += 1) await look(far.query, { id });
    await far.pool.query("alter table public.changing add column name text");
    await far.pool.query("insert into public.changing values (1, 'one'), (2, 'two')");
    const found = await Promise.all([1, 2].map((id) => look(far.query, { id })));
    expect(found).toEqual([[{ id: 1, name: "one" }], [{ id: 2, name: "two" }]]);
    await far.pool.query("drop table public.changing");
  });

  test("are refused inside a transaction, but for its own", async () => {
    const outside = far.transaction(async (tx) => {
      const [own] = await readNumber(tx, { number: 1, after: 0 });
      expect(own?.pid).toBe(
        (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx)).rows[0]?.pid,
      );
      await read(1);
    });
    await expect(outside).rejects.toMatchObject({ code: "database_misused" });
  });

  test("that are under way when the database is closed are answered", async () => {
    const underWay = Promise.all([read(1, 0.1), read(2)]);
    await far.close();
    expect((await underWay).flat().map(({ number }) => number)).toEqual([1, 2]);
    await expect(read(3)).rejects.toThrow("end");
    far = open();
  });
});
