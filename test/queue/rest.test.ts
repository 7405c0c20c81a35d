import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, expect, test, vi } from "vitest";
import { systemClock, type Clock } from "../../src/clock.ts";
import { silentLog } from "../../src/log.ts";
import { maxPollMs, maxIdleMs } from "../../src/queue/run-on-schedule.ts";
import { startWorkers } from "../../src/queue/start-workers.ts";
import type { Worker } from "../../src/queue/worker.ts";
import { openTestDatabase } from "../support/database.ts";
import { createQueueStore, hasServer } from "../support/services.ts";

const database = await openTestDatabase();
afterAll(() => database.close());

const name = "resting";
let runs = 0;
const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of opened.splice(0).toReversed()) await each.close();
});

async function start(worker: Pick<Worker<void>, "every" | "isDue" | "hasNews">, clock: Clock) {
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
  vi.waitFor(() => expect(runs).toBeGreaterThanOrEqual(count), { timeout: 60_000, interval: 10 });

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
  ahead += maxIdleMs;
  await runsStayAt(3);
  due = true;
  ahead += maxPollMs;
  await runsReach(6);
});

test.skipIf(hasServer)(
  "a worker of the only process is asked again and again whether it is due, also after a run; news are seen at once",
  async () => {
    let ahead = 0;
    let asked = 0;
    let news = false;
    const clock = { now: () => systemClock.now(), monotonic: () => systemClock.monotonic() + ahead };
    const isDue = async () => {
      asked += 1;
      return false;
    };
    const hasNews = () => {
      const had = news;
      news = false;
      return had;
    };
    const queues = await start({ every: 20, isDue, hasNews }, clock);
    const isAskedAgain = async () => {
      const before = asked;
      // However rarely by now.
      ahead += maxPollMs;
      await expect.poll(() => asked, { interval: 10 }).toBeGreaterThan(before + 1);
    };
    await runsReach(1);
    await isAskedAgain();
    await queues.wake(name);
    await runsReach(2);
    await isAskedAgain();
    news = true;
    await runsReach(3);
    await isAskedAgain();
  },
);

test("a worker that cannot say whether it is due runs, which says what is wrong", async () => {
  const isDue = () => Promise.reject(new Error("who knows"));
  await start({ every: 50, isDue }, systemClock);
  await expect.poll(() => runs).toBeGreaterThan(2);
});
