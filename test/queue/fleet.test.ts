import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, expect, test } from "vitest";
import { systemClock } from "../../src/clock.ts";
import type { AppError } from "../../src/errors.ts";
import { silentLog } from "../../src/log.ts";
import type { Queues } from "../../src/queue/queues.ts";
import { startWorkers } from "../../src/queue/start-workers.ts";
import { checkWorkers } from "../../src/start/health.ts";
import { openTestDatabase } from "../support/database.ts";
import { createQueueStore, queueStores } from "../support/services.ts";

const database = await openTestDatabase();
afterAll(() => database.close());

const limits = { check: 100, reconnect: 2_000, giveUp: 4_000, longestRun: 60_000 };
const every = 250;

/**
 * Queues of a process whose jobs are always taken by another one before it gets to them, and which looks at what runs only
 * when that is over.
 */
function losing<Name extends string>(queues: Queues<Name>, sink: Name): Queues<Name> {
  const { backend } = queues;
  const openWorker: typeof backend.openWorker = (_, ...rest) => backend.openWorker(sink, ...rest);
  const queueOf = (name: Name) => {
    const queue = queues.queueOf(name);
    const getJobCounts: typeof queue.getJobCounts = async (...states) => {
      await sleep(every / 2);
      return queue.getJobCounts(...states);
    };
    return Object.assign(Object.create(queue) as typeof queue, { getJobCounts });
  };
  return { ...queues, alone: false, queueOf, backend: { ...backend, openWorker } };
}

test.each(queueStores)(
  "a process that asks for every run and gets none is well, while another runs them (%s)",
  { timeout: 60_000 },
  async (storeName) => {
    const store = createQueueStore(storeName, database);
    const [asking, running] = [await store.open(["looking", "nowhere"]), await store.open(["looking"])];
    const fatal: AppError[] = [];
    let runs = 0;
    const quiet = { log: silentLog, clock: systemClock };
    const asks = await startWorkers(
      losing(asking, "nowhere"),
      [{ name: "looking", every, run: async () => {} }],
      undefined,
      { ...quiet, limits, onFatal: (error) => fatal.push(error) },
    );
    // Without an interval of its own it runs only what the other one asks for.
    const runner = await startWorkers(
      { ...running, alone: false },
      [{ name: "looking", run: async () => void (runs += 1) }],
      undefined,
      quiet,
    );
    const health = checkWorkers(asks.status);
    const troubles = new Set<unknown>();
    await expect
      .poll(async () => (troubles.add(await health()), runs), { timeout: 50_000, interval: 100 })
      .toBeGreaterThan(40);
    expect(fatal).toEqual([]);
    expect([...troubles]).toEqual([undefined]);
    for (const each of [asks, runner, asking, running]) await each.close();
  },
);

test.each(queueStores)(
  "where no process takes the jobs, the process that asks for them ends and says so (%s)",
  { timeout: 60_000 },
  async (storeName) => {
    const queues = await createQueueStore(storeName, database).open(["looking", "nowhere"]);
    const fatal: AppError[] = [];
    const asks = await startWorkers(
      losing(queues, "nowhere"),
      [{ name: "looking", every, run: async () => {} }],
      undefined,
      { log: silentLog, clock: systemClock, limits, onFatal: (error) => fatal.push(error) },
    );
    await expect
      .poll(() => fatal.map(({ message }) => message), { timeout: 50_000 })
      .toEqual([expect.stringContaining("its queue responds, but no process takes its jobs")]);
    await asks.close();
    await queues.close();
  },
);
