import { EventEmitter, once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { pino } from "pino";
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { systemClock } from "../../src/clock.ts";
import { AppError } from "../../src/errors.ts";
import { silentLog, type Log } from "../../src/log.ts";
import { startWorkers } from "../../src/queue/start-workers.ts";
import type { Worker } from "../../src/queue/worker.ts";
import { openTestDatabase } from "../support/database.ts";
import { createQueueStore, queueStores, type QueueStore } from "../support/services.ts";

const database = await openTestDatabase();
afterAll(() => database.close());

let tests = 0;
const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of opened.splice(0).toReversed()) await each.close();
});

describe.each(queueStores)("jobs in %s", (storeName) => {
  let store: QueueStore;
  let name: string;
  let runs: string[];

  beforeEach(() => {
    store = createQueueStore(storeName, database);
    tests += 1;
    name = `test-${tests}`;
    runs = [];
  });

  async function openQueues(log?: Log) {
    const queues = await store.open([name], log);
    opened.push(queues);
    return queues;
  }

  async function start(worker: Omit<Worker<string[]>, "name">, log: Log = silentLog, clock = systemClock) {
    const queues = await openQueues(log);
    const takeover = { lockDuration: 1_000, stalledInterval: 300 };
    const options = { log, clock, takeover };
    const running = await startWorkers(queues, [{ name, ...worker }], runs, options);
    opened.push(running);
    return { queues, running };
  }

  const runsReach = (count: number) =>
    vi.waitFor(() => expect(runs.length).toBeGreaterThanOrEqual(count), { timeout: 60_000, interval: 10 });

  test("a worker with an interval runs again and again", async () => {
    await start({ every: 100, run: async (context) => void context.push("ran") });
    await runsReach(4);
    expect(new Set(runs)).toEqual(new Set(["ran"]));
  });

  test("an interval that changed replaces the old one", async () => {
    const first = await start({ every: 100, run: async (context) => void context.push("ran") });
    await first.running.close();
    await start({ every: 3_600_000, run: async (context) => void context.push("ran") });
    await sleep(200);
    const before = runs.length;
    await sleep(500);
    expect(runs.length).toBe(before);
  });

  test("an interval that is not over yet is not run again by a restart, or by a second process", async () => {
    const worker = { every: 3_600_000, run: async (context: string[]) => void context.push("ran") };
    const first = await start(worker);
    await runsReach(1);
    await first.running.close();
    await start(worker);
    await start(worker);
    await sleep(500);
    expect(runs).toEqual(["ran"]);
  });

  test("a clock that is set back by a day stops nothing, nor does a restart after it", async () => {
    let ahead = 86_400_000;
    const clock = { now: () => systemClock.now() + ahead, monotonic: () => systemClock.monotonic() };
    const queueTime = vi
      .spyOn(Date, "now")
      .mockImplementation(() => Math.floor(performance.timeOrigin + performance.now()) + ahead);
    try {
      const worker = { every: 100, run: async (context: string[]) => void context.push("ran") };
      const first = await start(worker, silentLog, clock);
      await runsReach(3);
      ahead = 0;
      await runsReach(runs.length + 3);
      await first.running.close();
      await start(worker, silentLog, clock);
      await runsReach(runs.length + 3);
      expect(runs.length).toBeGreaterThan(8);
    } finally {
      queueTime.mockRestore();
    }
  });

  test("wake-ups with the same key before the run are one run, others are their own", async () => {
    const queues = await openQueues();
    for (const key of ["art", "art", "memes", "art", undefined, undefined]) await queues.wake(name, key);
    await start({ run: async (context, job) => void context.push(job.key ?? "everything") });
    await runsReach(3);
    await sleep(200);
    expect(runs.toSorted()).toEqual(["art", "everything", "memes"]);
  });

  test.each([{}, { every: 3_600_000 }])(
    "wake-ups during a run lead to exactly one more run after it (%o)",
    async (interval) => {
      const gate = new EventEmitter();
      const { queues } = await start({
        ...interval,
        run: async (context) => {
          const opened = once(gate, "open");
          context.push("began");
          await opened;
        },
      });
      await queues.wake(name);
      await runsReach(1);
      await queues.wake(name);
      await queues.wake(name);
      gate.emit("open");
      await runsReach(2);
      gate.emit("open");
      await sleep(500);
      expect(runs).toEqual(["began", "began"]);
      await queues.wake(name);
      await runsReach(3);
    },
  );

  test("wake-ups while one is on its way share the next", async () => {
    const queues = await openQueues();
    const add = vi.spyOn(queues.queueOf(name), "add");
    await Promise.all(Array.from({ length: 50 }, () => queues.wake(name)));
    expect(add).toHaveBeenCalledTimes(2);
    await queues.wake(name);
    expect(add).toHaveBeenCalledTimes(3);
  });

  test("wake-ups one shortly after the other share the next, too", async () => {
    const queues = await openQueues();
    const add = vi.spyOn(queues.queueOf(name), "add");
    const asked = Array.from({ length: 10 }, async (_, index) => {
      await sleep(15 * index);
      await queues.wake(name);
    });
    await Promise.all(asked);
    expect(add.mock.calls.length).toBeLessThan(5);
  });

  test("a wake-up survives the process that made it", async () => {
    const queues = await openQueues();
    await queues.wake(name, "kept");
    await queues.close();
    opened.splice(opened.indexOf(queues), 1);
    await start({ run: async (context, job) => void context.push(job.key ?? "") });
    await runsReach(1);
    expect(runs).toEqual(["kept"]);
  });

  test("two processes never run a worker at the same time", async () => {
    const overlaps: string[] = [];
    const worker: Omit<Worker<string[]>, "name"> = {
      every: 50,
      run: async (context) => {
        context.push("begin");
        await sleep(80);
        if (context.at(-1) !== "begin") overlaps.push("overlap");
        context.push("end");
      },
    };
    const first = await start(worker);
    await start(worker);
    for (let index = 0; index < 5; index += 1) {
      await first.queues.wake(name);
      await sleep(30);
    }
    await runsReach(16);
    expect(overlaps).toEqual([]);
    expect(runs.slice(0, 4)).toEqual(["begin", "end", "begin", "end"]);
  });

  test("an error is logged once with its cause, and the run repeated", async () => {
    const lines: string[] = [];
    const log = pino({ level: "warn" }, { write: (line: string) => void lines.push(line) });
    const { queues } = await start(
      {
        run: async (context, job) => {
          context.push(`attempt ${job.attempt}`);
          if (job.attempt > 1) return;
          throw new AppError("network_failed", "the hub did not answer", {
            cause: new Error("socket hang up"),
          });
        },
      },
      log,
    );
    await queues.wake(name);
    await runsReach(2);
    expect(runs).toEqual(["attempt 1", "attempt 2"]);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain("the hub did not answer");
    expect(lines[0]).toContain("socket hang up");
  });

  test("a worker that fails each time is held back, longer each time", async () => {
    const { queues } = await start({
      every: 50,
      run: async (context) => {
        context.push("ran");
        throw new Error("no luck");
      },
    });
    await runsReach(2);
    await sleep(700);
    expect(runs.length).toBe(2);
    expect(await queues.status()).toMatchObject([{ name, failed: 2 }]);
  });

  test("the status tells what waits, and for how long", async () => {
    const queues = await openQueues();
    expect(await queues.status()).toEqual([
      { name, waiting: 0, active: 0, delayed: 0, failed: 0, oldestMs: 0 },
    ]);
    await queues.wake(name);
    await expect.poll(async () => (await queues.status())[0]?.oldestMs).toBeGreaterThan(0);
    expect(await queues.status()).toMatchObject([{ waiting: 1 }]);
    let ends = () => {};
    await start({ run: () => new Promise<void>((resolve) => (ends = resolve)) });
    await expect
      .poll(async () => (await queues.status())[0])
      .toMatchObject({ waiting: 0, active: 1, oldestMs: 0 });
    ends();
    await expect.poll(async () => (await queues.status())[0]?.active).toBe(0);
  });

  test("closing waits for a run that is about to end", async () => {
    const { queues, running } = await start({
      run: async (context) => {
        context.push("began");
        await sleep(300);
        context.push("ended");
      },
    });
    await queues.wake(name);
    await runsReach(1);
    await running.close();
    expect(runs).toEqual(["began", "ended"]);
  });

  test("closing aborts a run that takes too long", async () => {
    const { queues, running } = await start({
      run: async (context, job) => {
        context.push("began");
        await sleep(600_000, undefined, { signal: job.signal }).catch(() => context.push("aborted"));
      },
    });
    await queues.wake(name);
    await runsReach(1);
    await running.close();
    expect(runs).toEqual(["began", "aborted"]);
  });

  test("a wake-up inside a transaction is refused, as nobody else could see its rows yet", async () => {
    const queues = await openQueues();
    await expect(database.transaction(() => queues.wake(name))).rejects.toMatchObject({
      code: "database_misused",
    });
  });
});
