import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, expect, test, vi } from "vitest";
import { systemClock, type Clock } from "../../src/clock.ts";
import { silentLog } from "../../src/log.ts";
import { longestRest } from "../../src/queue/run-on-schedule.ts";
import { startWorkers } from "../../src/queue/start-workers.ts";
import type { Worker } from "../../src/queue/worker.ts";
import { openTestDatabase } from "../support/database.ts";
import { createQueueStore } from "../support/services.ts";

const database = await openTestDatabase();
afterAll(() => database.close());

const name = "resting";
let runs = 0;
const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of opened.splice(0).toReversed()) await each.close();
});

async function start(worker: Pick<Worker<void>, "every" | "isDue">, clock: Clock) {
  runs = 0;
  const queues = await createQueueStore("the database", database).open([name]);
  const run = async () => void (runs += 1);
  const running = await startWorkers(queues, [{ name, run, ...worker }], undefined, {
    log: silentLog,
    clock,
  });
  opened.push(queues, running);
  return queues;
}

const runsReach = (count: number) =>
  vi.waitFor(() => expect(runs).toBeGreaterThanOrEqual(count), { timeout: 8_000, interval: 10 });

test("a worker that says that nothing is due rests until it says otherwise, is woken, or has rested long", async () => {
  let ahead = 0;
  let due = false;
  const clock = { now: () => systemClock.now(), monotonic: () => systemClock.monotonic() + ahead };
  const queues = await start({ every: 50, isDue: async () => due }, clock);
  const runsStayAt = async (count: number) => {
    await runsReach(count);
    await sleep(400);
    expect(runs).toBe(count);
  };
  await runsStayAt(1);
  await queues.wake(name);
  await runsStayAt(2);
  ahead += longestRest;
  await runsStayAt(3);
  due = true;
  await runsReach(6);
});

test("a worker that cannot say whether it is due runs, which says what is wrong", async () => {
  const isDue = () => Promise.reject(new Error("who knows"));
  await start({ every: 50, isDue }, systemClock);
  await expect.poll(() => runs, { timeout: 8_000 }).toBeGreaterThan(2);
});
