import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { connectServer, defaultTimeouts } from "../../src/database/connect.ts";
import type { Database, Queryable } from "../../src/database/database.ts";
import { startRelay, type Relay } from "../support/relay.ts";
import { useTestDatabase } from "../support/test-cases.ts";

const database = await useTestDatabase();

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
    { stream: "hub_events_2", last_id: 0 },
    { stream: "transfers", last_id: 0 },
  ]);
});

describe.runIf(database.engine === "server")("a server", () => {
  let relay: Relay;
  let far: Database;
  const timeouts = { statement: 400, idleTransaction: 1_000, answer: 800, connection: 5_000 };
  beforeEach(async () => {
    const { options } = database.pool;
    const url = new URL(String(options.connectionString));
    relay = await startRelay(url.href);
    url.host = new URL(relay.url).host;
    far = connectServer(url.href, { timeouts });
  });
  afterEach(async () => {
    await far.close();
    await relay.close();
  });

  const ask = () => sql`select 1`.execute(far.query);
  const askInTransaction = () => far.transaction((tx) => sql`select 1`.execute(tx));

  test("that stops answering on old connections is queried over new ones", async () => {
    const busy = Array.from({ length: 10 }, () =>
      far.transaction(async (tx) => {
        await sql`select 1`.execute(tx);
        relay.silence();
        await sql`select 2`.execute(tx);
      }),
    );
    const lost = await Promise.allSettled(busy);
    expect(lost.map(({ status }) => status)).toEqual(busy.map(() => "rejected"));
    expect(lost).toContainEqual({
      status: "rejected",
      reason: expect.objectContaining({ code: "database_unavailable" }),
    });
    await Promise.all(Array.from({ length: 20 }, (_, at) => (at % 2 ? ask() : askInTransaction())));
    await far.pool.query("select 1");
  });

  test("keeps no lock of a transaction whose road fell silent for longer than others wait for it", async () => {
    const url = new URL(String(database.pool.options.connectionString));
    url.host = new URL(relay.url).host;
    const lost = connectServer(url.href, { timeouts: { ...defaultTimeouts, answer: 500 } });
    const waiting = connectServer(url.href);
    const lock = sql`lock table network.bot_allowlist`;
    const silenced = lost.transaction(async (tx) => {
      await lock.execute(tx);
      relay.silence();
      await sql`select 1`.execute(tx);
    });
    await expect(silenced).rejects.toMatchObject({ code: "database_unavailable" });
    await waiting.transaction((tx) => lock.execute(tx));
    await Promise.all([lost.close(), waiting.close()]);
  });

  const readPrepared = (tx: Queryable) =>
    sql<{ statement: string; custom: number; generic: number }>`
      select statement, custom_plans as custom, generic_plans as generic from pg_prepared_statements
      where statement like '%bot_allowlist%'
    `.execute(tx);
  const readAllowed = (from: Queryable, fid: number) =>
    from.selectFrom("network.bot_allowlist").select("fid").where("fid", "=", fid).execute();

  test("parses a statement that comes again once, and at last plans it no more", async () => {
    await far.transaction(async (tx) => {
      for (let fid = 0; fid < 10; fid += 1) await readAllowed(tx, fid);
      const { rows } = await readPrepared(tx);
      expect(rows).toEqual([{ statement: expect.stringContaining("bot_allowlist"), custom: 5, generic: 3 }]);
    });
  });

  test("behind a pooler nothing is left on a connection", async () => {
    const pooled = connectServer(far.pool.options.connectionString ?? "", { pooled: true });
    await pooled.transaction(async (tx) => {
      for (let fid = 0; fid < 10; fid += 1) await readAllowed(tx, fid);
      expect((await readPrepared(tx)).rows).toEqual([]);
    });
    await pooled.close();
  });

  test("whose table changes meanwhile is asked again, outside of transactions", async () => {
    const text = "select * from public.changing where id = $1";
    const ways = {
      promise: () => far.pool.query(text, [1]),
      callback: () =>
        new Promise<{ fields: { name: string }[] }>((resolve, reject) => {
          far.pool.query(text, [1], (error, result) => (error ? reject(error) : resolve(result)));
        }),
      client: async () => {
        const client = await far.pool.connect();
        return client.query(text, [1]).finally(() => client.release());
      },
    };
    await far.pool.query("create table public.changing (id int)");
    const columns = ["id"];
    for (const [way, look] of Object.entries(ways)) {
      for (let times = 0; times < 4; times += 1) await look();
      await far.pool.query(`alter table public.changing add column ${way} text`);
      columns.push(way);
      expect((await look()).fields.map(({ name }) => name)).toEqual(columns);
      expect((await look()).fields.map(({ name }) => name)).toEqual(columns);
    }
    const client = await far.pool.connect();
    for (let times = 0; times < 4; times += 1) await client.query(text, [1]);
    await far.pool.query("alter table public.changing add column last text");
    await client.query("begin");
    await expect(client.query(text, [1])).rejects.toThrow("cached plan");
    client.release(true);
    await far.pool.query("drop table public.changing");
  });

  test("which the server has forgotten is asked again", async () => {
    const client = await far.pool.connect();
    const look = () => client.query<{ one: number }>("select $1::int as one, 'forgotten' as why", [1]);
    for (let times = 0; times < 4; times += 1) await look();
    await client.query("deallocate all");
    expect((await look()).rows).toEqual([{ one: 1, why: "forgotten" }]);
    client.release();
  });

  test("ends connections whose client is gone without a word within a minute", async () => {
    const settings = ["idle", "interval", "count"].map((name) => `tcp_keepalives_${name}`);
    const { rows } = await far.pool.query<{ setting: string }>(
      "select setting from pg_settings where name = any($1) order by name",
      [settings],
    );
    const [count = 0, idle = 0, interval = 0] = rows.map(({ setting }) => Number(setting));
    expect(idle + interval * count).toBeLessThanOrEqual(60);
    expect(idle).toBeGreaterThan(0);
  });

  test("whose road fell silent is noticed once for all connections, also by those that only listen", async () => {
    const listening = await far.pool.connect();
    await listening.query("listen nothing_that_is_told");
    const lost = once(listening, "error");
    await Promise.all(Array.from({ length: 5 }, askInTransaction));
    relay.silence();
    await expect(ask()).rejects.toMatchObject({ code: "database_unavailable" });
    await lost;
    listening.release(true);
    await Promise.all(Array.from({ length: 5 }, askInTransaction));
    await far.pool.query("select 1");
  });

  test("that goes is said to be away, and used again when it is back", async () => {
    await ask();
    relay.cut();
    await expect(ask()).rejects.toMatchObject({ code: "database_unavailable" });
    await expect(askInTransaction()).rejects.toMatchObject({ code: "database_unavailable" });
    relay.fix();
    await ask();
  });

  test("breaks a statement off that waits too long for a lock, and its connection stays usable", async () => {
    const holder = await database.pool.connect();
    await holder.query("begin; lock table network.channels");
    await expect(sql`select * from network.channels`.execute(far.query)).rejects.toMatchObject({
      code: "database_unavailable",
      message: expect.stringContaining("took too long"),
      cause: expect.objectContaining({ code: "57014" }),
    });
    await holder.query("rollback");
    holder.release();
    expect((await sql`select * from network.channels`.execute(far.query)).rows).toEqual([]);
  });

  test("ends an abandoned transaction and releases its locks", async () => {
    const stuck = far.transaction(async (tx) => {
      await sql`lock table network.channels`.execute(tx);
      await sleep(timeouts.idleTransaction * 3);
      await sql`select 1`.execute(tx);
    });
    await expect(stuck).rejects.toMatchObject({ code: "database_unavailable" });
    expect((await sql`select * from network.channels`.execute(far.query)).rows).toEqual([]);
  });
});
