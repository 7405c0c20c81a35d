import { sql } from "kysely";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { connectServer } from "../../src/database/connect.ts";
import type { Database } from "../../src/database/database.ts";
import { checkConnections, maxConnections } from "../../src/start/doctor/check-connections.ts";
import { openTestDatabase } from "../support/database.ts";

const pools = { DATABASE_POOL: 10, REDIS_URL: undefined };

const database = await openTestDatabase();
afterAll(() => database.close());

test("a process needs no connections for queues that are in Redis", () => {
  expect(maxConnections(pools)).toBe(13);
  expect(maxConnections({ ...pools, REDIS_URL: "redis://localhost" })).toBe(10);
});

test("what a pooler does with its connections is its own matter", async () => {
  const finding = await checkConnections({ ...database, pooled: true }, pools);
  expect(finding).toMatchObject({ state: "ok", message: expect.stringContaining("to a pooler") });
});

describe.runIf(database.engine === "server")("on a server", () => {
  const opened: Database[] = [];
  afterEach(async () => {
    for (const each of opened.splice(0)) await each.close();
    await sql.raw(`alter database ${name()} connection limit -1`).execute(database.query);
  });
  const url = () => new URL(String(database.pool.options.connectionString));
  const name = () => url().pathname.slice(1);

  test("processes that may open more than the server allows are told with their sum", async () => {
    const finding = await checkConnections(database, { ...pools, DATABASE_POOL: 500 });
    expect(finding).toMatchObject({
      state: "wrong",
      message: expect.stringMatching(
        /with up to 503 each, in total up to \d+\. That is more than PostgreSQL allows\.$/,
      ),
      fix: expect.stringContaining("max_connections"),
    });
  });

  test("a limit of the database counts as the server's does, and so does each process", async () => {
    await database.query.selectFrom("castellan.counters").select("name").execute();
    await expect(checkConnections(database, pools)).resolves.toMatchObject({ state: "ok" });
    await sql.raw(`alter database ${name()} connection limit 25`).execute(database.query);
    await expect(checkConnections(database, pools)).resolves.toMatchObject({
      state: "ok",
      message: expect.stringMatching(/of 25 in use; one Castellan process with up to 13 each$/),
    });
    // As of another machine's process.
    const place = url();
    place.searchParams.set("application_name", "castellan 1 elsewhere");
    const other = connectServer(place.href);
    opened.push(other);
    await other.pool.query("select 1");
    await expect(checkConnections(database, pools)).resolves.toMatchObject({
      state: "wrong",
      message: expect.stringContaining("2 Castellan processes with up to 13 each, in total up to 26"),
    });
  });
});
