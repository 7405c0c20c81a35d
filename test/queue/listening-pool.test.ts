import { sql } from "kysely";
import { afterAll, describe, expect, test } from "vitest";
import { systemClock } from "../../src/clock.ts";
import { connectServer } from "../../src/database/connect.ts";
import type { Database } from "../../src/database/database.ts";
import { silentLog } from "../../src/log.ts";
import { openQueues } from "../../src/queue/queues.ts";
import { startWorkers } from "../../src/queue/start-workers.ts";
import { openTestDatabase } from "../support/database.ts";

const database = await openTestDatabase();
afterAll(() => database.close());

const names = ["first", "second", "third", "fourth"];

/** Workers of one process, each of which notes its runs. */
async function startProcess(own: Database) {
  const runs: string[] = [];
  const queues = await openQueues(names, { database: own, log: silentLog });
  const workers = names.map((name) => ({ name, run: async () => void runs.push(name) }));
  const running = await startWorkers(queues, workers, undefined, { log: silentLog, clock: systemClock });
  return {
    runs,
    queues,
    async close() {
      await running.close();
      await queues.close();
    },
  };
}

test("workers that share the connection are each woken", async () => {
  const own = await startProcess(database);
  for (const name of names) await own.queues.wake(name);
  await expect.poll(() => own.runs.toSorted()).toEqual(names.toSorted());
  await own.close();
});

describe.runIf(database.engine === "server")("on a server", () => {
  const url = () => String(database.pool.options.connectionString);
  const listening = async () => {
    const { rows } = await sql<{ pid: number }>`
      select pid from pg_stat_activity where datname = current_database() and query ilike 'listen %'
    `.execute(database.query);
    return rows.map(({ pid }) => pid);
  };

  test("all workers of a process listen on one connection, which is closed with them", async () => {
    const own = await startProcess(database);
    await expect.poll(async () => (await listening()).length).toBe(1);
    await own.close();
    await expect.poll(listening).toEqual([]);
  });

  test("a connection that is lost is replaced, and each worker is woken over the new one", async () => {
    const own = await startProcess(database);
    await expect.poll(async () => (await listening()).length).toBe(1);
    const [before = 0] = await listening();
    await sql`select pg_terminate_backend(${before})`.execute(database.query);
    await expect
      .poll(async () => (await listening()).filter((pid) => pid !== before).length, { timeout: 15_000 })
      .toBe(1);
    for (const name of names) await own.queues.wake(name);
    await expect.poll(() => own.runs.toSorted()).toEqual(names.toSorted());
    await own.close();
  });

  test("as many workers as there are run on three connections", async () => {
    const few = connectServer(url(), { connections: { statements: 2, queue: 3 } });
    const own = await startProcess(few);
    for (const name of names) await own.queues.wake(name);
    await expect.poll(() => own.runs.toSorted()).toEqual(names.toSorted());
    expect(few.pool.totalCount).toBeLessThanOrEqual(3);
    await own.close();
    await few.close();
  });

  test("through a pooler nothing listens, and what one process adds another one finds", async () => {
    const pooled = [connectServer(url(), { pooled: true }), connectServer(url(), { pooled: true })] as const;
    const worker = await startProcess(pooled[0]);
    const other = await openQueues(names, { database: pooled[1], log: silentLog });
    for (const name of names) await other.wake(name);
    await expect.poll(() => worker.runs.toSorted(), { timeout: 15_000 }).toEqual(names.toSorted());
    expect(await listening()).toEqual([]);
    const { rows } = await pooled[0].pool.query("show search_path");
    expect(rows).toEqual([{ search_path: expect.not.stringContaining("bullmq") }]);
    await worker.close();
    await other.close();
    for (const each of pooled) await each.close();
  });
});
