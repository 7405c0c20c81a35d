import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { systemClock } from "../../src/clock.ts";
import { silentLog } from "../../src/log.ts";
import { openQueues } from "../../src/queue/queues.ts";
import { startWorkers, type WorkerOptions } from "../../src/queue/start-workers.ts";
import type { AppError } from "../../src/errors.ts";
import { openTestDatabase } from "../support/database.ts";
import { collectLog } from "../support/log.ts";
import { hasRedis, startRedis, type RedisServer } from "../support/services.ts";

describe.runIf(hasRedis)("a Redis that is lost", { timeout: 90_000 }, () => {
  let redis: RedisServer;
  let database: Awaited<ReturnType<typeof openTestDatabase>>;
  let runs: number;
  const opened: { close(): Promise<void> }[] = [];

  beforeAll(async () => {
    [redis, database] = await Promise.all([startRedis(), openTestDatabase()]);
  });
  afterEach(async () => {
    redis.goOn();
    for (const each of opened.splice(0).toReversed()) await each.close();
  });
  afterAll(async () => {
    await redis.kill();
    await database.close();
  });

  async function start(run: () => Promise<void> = async () => {}, options: Partial<WorkerOptions> = {}) {
    runs = 0;
    const log = options.log ?? silentLog;
    const queues = await openQueues(["looking"], { database, log, redis: { REDIS_URL: redis.url } });
    const worker = {
      name: "looking",
      every: 100,
      async run() {
        runs += 1;
        await run();
      },
    };
    const running = await startWorkers(queues, [worker], undefined, { log, clock: systemClock, ...options });
    opened.push(queues, running);
    return { queues, running };
  }

  /** Runs that happen from now on. */
  async function moreRuns(): Promise<boolean> {
    const before = runs;
    await expect.poll(() => runs, { timeout: 40_000 }).toBeGreaterThan(before + 3);
    return true;
  }

  test("emptied while it runs: the interval goes on", async () => {
    await start();
    expect(await moreRuns()).toBe(true);
    await redis.flush();
    expect(await moreRuns()).toBe(true);
  });

  test("emptied during a run: the next one follows, and wake-ups still arrive", async () => {
    let end = () => {};
    const { queues } = await start(() => new Promise((resolve) => (end = resolve)));
    await expect.poll(() => runs).toBe(1);
    await redis.flush();
    end();
    await expect.poll(() => runs, { timeout: 40_000 }).toBe(2);
    await queues.wake("looking", "somewhere");
    end();
    await expect.poll(() => (end(), runs), { timeout: 40_000 }).toBeGreaterThan(3);
  });

  test("killed and started again empty: the interval goes on", async () => {
    await start();
    expect(await moreRuns()).toBe(true);
    await redis.restartEmpty();
    expect(await moreRuns()).toBe(true);
  });

  test("two processes that lost it still run one at a time", async () => {
    let active = 0;
    let most = 0;
    const run = async () => {
      most = Math.max(most, (active += 1));
      await sleep(50);
      active -= 1;
    };
    await start(run);
    await start(run);
    await redis.restartEmpty();
    await sleep(21_000);
    most = 0;
    expect(await moreRuns()).toBe(true);
    expect(most).toBe(1);
  });

  test("one that answers nothing is reported; the workers are connected anew, and then given up", async () => {
    const { log, lines } = collectLog();
    const fatal: AppError[] = [];
    const { running } = await start(undefined, {
      log,
      onFatal: (error) => fatal.push(error),
      limits: { check: 100, reconnect: 1_000, giveUp: 4_000, longestRun: 60_000 },
    });
    expect(await moreRuns()).toBe(true);
    redis.halt();
    await expect.poll(() => running.status()[0]?.late).toBe(true);
    await expect.poll(() => lines.map(({ msg }) => msg)).toContain("a worker does not run: reconnecting it");
    await expect
      .poll(() => fatal.map(({ message }) => message))
      .toEqual([
        expect.stringMatching(/^The worker looking has not run for \d+ s: its queue does not respond/),
      ]);
    expect(fatal).toHaveLength(1);
    redis.goOn();
    expect(await moreRuns()).toBe(true);
  });

  test("one that halts for a while is waited for", async () => {
    const fatal: AppError[] = [];
    const { running } = await start(undefined, { onFatal: (error) => fatal.push(error) });
    expect(await moreRuns()).toBe(true);
    redis.halt();
    await sleep(8_000);
    redis.goOn();
    expect(await moreRuns()).toBe(true);
    expect([fatal, running.status()[0]?.late]).toEqual([[], false]);
  });

  test("its errors are a line a second, not one for each connection and attempt", async () => {
    const { log, lines } = collectLog();
    await start(undefined, { log });
    expect(await moreRuns()).toBe(true);
    await redis.kill();
    const began = performance.now();
    await sleep(4_000);
    const told = lines.filter(({ msg }) => msg === "queue error");
    const seconds = (performance.now() - began) / 1000;
    const messages = told.map(({ err }) => (err instanceof Object && "message" in err ? err.message : ""));
    expect(told.length).toBeGreaterThan(0);
    for (const message of new Set(messages)) {
      expect(messages.filter((other) => other === message).length).toBeLessThanOrEqual(seconds + 1);
    }
    await redis.restartEmpty();
  });
});
