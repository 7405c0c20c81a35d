import { setTimeout as sleep } from "node:timers/promises";
import type { PgPool } from "bullmq";
import { afterAll, expect, test } from "vitest";
import { systemClock } from "../../src/clock.ts";
import { silentLog } from "../../src/log.ts";
import { createThrottledPostgresBackend } from "../../src/queue/throttled-postgres-backend.ts";
import { startWorkers } from "../../src/queue/start-workers.ts";
import { openTestDatabase } from "../support/database.ts";
import { createQueueStore } from "../support/services.ts";

const database = await openTestDatabase();
afterAll(() => database.close());

/** Everything that the pool is asked, by whichever way. */
function countStatements(): () => number {
  let count = 0;
  for (const way of ["query", "connect"] as const) {
    const ask: (...parameters: unknown[]) => unknown = database.pool[way].bind(database.pool);
    Object.assign(database.pool, {
      [way]: (...parameters: unknown[]) => {
        count += 1;
        return ask(...parameters);
      },
    });
  }
  return () => count;
}

test("a process beside one that works on the same does not ask for jobs again and again", async () => {
  const store = createQueueStore("the database", database);
  const runs: string[] = [];
  let finish = () => {};
  const finished = new Promise<void>((resolve) => (finish = resolve));
  const run = async (context: string[], { key }: { key?: string | undefined }) => {
    context.push(key ?? "everything");
    if (runs.length === 1) await finished;
  };
  // Two processes: one works on a job, and what is asked for meanwhile waits behind it.
  const processes = await Promise.all([store.open(["slow"]), store.open(["slow"])]);
  const options = { log: silentLog, clock: systemClock };
  const running = await Promise.all(
    processes.map((queues) => startWorkers(queues, [{ name: "slow", run }], runs, options)),
  );
  await processes[0].wake("slow");
  await expect.poll(() => runs.length).toBe(1);
  for (const queues of processes) await queues.wake("slow");
  await sleep(1500);
  const statements = countStatements();
  await sleep(1500);
  // Thousands where it was woken by jobs that it may not run.
  expect(statements()).toBeLessThan(400);
  finish();
  await expect.poll(() => runs.length).toBe(2);
  for (const each of [...running, ...processes]) await each.close();
});

test("a worker that is refused at once leaves others their turn before it asks again", async () => {
  const ended = await openTestDatabase();
  await ended.close();
  const backend = createThrottledPostgresBackend(10)("slow", { connection: ended.pool as PgPool });
  let hadItsTurn = false;
  setImmediate(() => (hadItsTurn = true));
  // Once would not do: on a busy machine its pause is over before the loop comes to what waits.
  for (let refusals = 0; refusals < 3; refusals += 1) {
    await expect(backend.moveToActive("token", "slow")).rejects.toThrow("after calling end on the pool");
  }
  expect(hadItsTurn).toBe(true);
});
