import { Redis } from "ioredis";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { systemClock } from "../../src/clock.ts";
import type { AppError } from "../../src/errors.ts";
import { silentLog, type Log } from "../../src/log.ts";
import { examineRedis } from "../../src/queue/look-at-redis.ts";
import { openQueues, readQueuePrefix } from "../../src/queue/queues.ts";
import { startWorkers } from "../../src/queue/start-workers.ts";
import { checkRedis } from "../../src/start/doctor/check-redis.ts";
import { openTestDatabase } from "../support/database.ts";
import { collectLog } from "../support/log.ts";
import { hasRedis, startRedis, type RedisServer } from "../support/services.ts";

describe.runIf(hasRedis)("the Redis of the queues", { timeout: 90_000 }, () => {
  let redis: RedisServer;
  let admin: Redis;
  let database: Awaited<ReturnType<typeof openTestDatabase>>;
  const opened: { close(): Promise<void> }[] = [];

  beforeAll(async () => {
    [redis, database] = await Promise.all([startRedis(), openTestDatabase()]);
    admin = new Redis(redis.url);
  });
  afterEach(async () => {
    await admin.config("SET", "maxmemory", "0", "maxmemory-policy", "noeviction");
    await admin.call("REPLICAOF", "NO", "ONE");
    for (const each of opened.splice(0).toReversed()) await each.close();
  });
  afterAll(async () => {
    admin.disconnect();
    await redis.kill();
    await database.close();
  });

  async function startLooking(log: Log, url = redis.url): Promise<void> {
    const queues = await openQueues(["looking"], { database, log, redis: { REDIS_URL: url } });
    opened.push(queues);
    const worker = { name: "looking", every: 100, run: async () => {} };
    opened.push(await startWorkers(queues, [worker], undefined, { log, clock: systemClock }));
  }

  const withUser = (user: string, password: string, db = 0) =>
    redis.url.replace("redis://", `redis://${user}:${password}@`) + `/${db}`;

  test("two installations on one Redis do not take each other's jobs", async () => {
    const other = await openTestDatabase();
    const ran: string[] = [];
    for (const [name, one] of [
      ["first", database],
      ["second", other],
    ] as const) {
      const queues = await openQueues(["looking"], {
        database: one,
        log: silentLog,
        redis: { REDIS_URL: redis.url },
      });
      const worker = { name: "looking", run: async () => void ran.push(name) };
      const running = await startWorkers(queues, [worker], undefined, { log: silentLog, clock: systemClock });
      opened.push(queues, running);
    }
    const [first] = opened as [Awaited<ReturnType<typeof openQueues<"looking">>>];
    for (let times = 0; times < 8; times += 1) await first.wake("looking", String(times));
    await expect.poll(() => ran.length).toBe(8);
    expect(new Set(ran)).toEqual(new Set(["first"]));
    expect(await readQueuePrefix(database)).not.toBe(await readQueuePrefix(other));
    expect(await readQueuePrefix(database)).toBe(await readQueuePrefix(database));
    const [{ message } = { message: "" }] = await checkRedis({ REDIS_URL: redis.url }, { database });
    expect(message).toContain("responds and accepts changes, version 7");
    await other.close();
  });

  test("a wrong eviction policy is one line of the log, a finding of doctor, and no line beside the log", async () => {
    await admin.config("SET", "maxmemory-policy", "allkeys-lru");
    const { log, lines } = collectLog();
    const said: unknown[] = [];
    const { warn, error } = console;
    Object.assign(console, {
      warn: (...words: unknown[]) => said.push(words),
      error: (...words: unknown[]) => said.push(words),
    });
    try {
      for (let times = 0; times < 2; times += 1) {
        const queues = await openQueues(["looking"], { database, log, redis: { REDIS_URL: redis.url } });
        const worker = { name: "looking", run: async () => {} };
        opened.push(queues, await startWorkers(queues, [worker], undefined, { log, clock: systemClock }));
      }
    } finally {
      Object.assign(console, { warn, error });
    }
    expect(said).toEqual([]);
    const told = lines.filter(({ fault }) => fault !== undefined);
    expect(told).toEqual([
      expect.objectContaining({ level: 40, fault: expect.stringContaining("eviction policy allkeys-lru") }),
    ]);
    expect(await checkRedis({ REDIS_URL: redis.url }, { database })).toEqual([
      expect.objectContaining({ state: "wrong", message: expect.stringContaining("noeviction") }),
    ]);
  });

  test.each([
    ["is full", () => admin.config("SET", "maxmemory", "1"), "Redis is full"],
    ["is a replica", () => admin.call("REPLICAOF", "127.0.0.1", "1"), "read-only replica"],
  ])("one that %s is the reason of an end, in words and without stacks", async (_, spoil, words) => {
    const { log, lines } = collectLog();
    const fatal: AppError[] = [];
    const queues = await openQueues(["looking"], { database, log, redis: { REDIS_URL: redis.url } });
    const limits = { check: 100, reconnect: 1_000, giveUp: 3_000, longestRun: 60_000 };
    const running = await startWorkers(
      queues,
      [{ name: "looking", every: 100, run: async () => {} }],
      undefined,
      {
        log,
        clock: systemClock,
        limits,
        onFatal: (reason) => fatal.push(reason),
      },
    );
    opened.push(queues, running);
    await spoil();
    await queues.wake("looking", "somewhere");
    await expect
      .poll(() => fatal.map(({ message }) => message), { timeout: 40_000 })
      .toEqual([expect.stringContaining(words)]);
    const shown = lines.filter(({ level }) => Number(level) >= 40);
    expect(shown.filter((line) => JSON.stringify(line).includes("stack"))).toEqual([]);
    expect(shown.filter(({ msg }) => msg === "queue error").length).toBeLessThan(4);
    expect((await examineRedis({ REDIS_URL: redis.url }, undefined)).faults).toEqual([
      expect.stringContaining(words),
    ]);
    await expect(startLooking(log)).rejects.toMatchObject({
      code: "database_unavailable",
      message: expect.stringContaining(words),
    });
  });

  test("a user who may not ask INFO can be used; the look says what is not known", async () => {
    await admin.call("ACL", "SETUSER", "quiet", "on", ">a-password-of-quiet", "~*", "&*", "+@all", "-info");
    const url = withUser("quiet", "a-password-of-quiet");
    let runs = 0;
    const queues = await openQueues(["looking"], { database, log: silentLog, redis: { REDIS_URL: url } });
    const worker = { name: "looking", every: 100, run: async () => void (runs += 1) };
    opened.push(
      queues,
      await startWorkers(queues, [worker], undefined, { log: silentLog, clock: systemClock }),
    );
    await expect.poll(() => runs, { timeout: 20_000 }).toBeGreaterThan(2);
    expect((await examineRedis({ REDIS_URL: url }, undefined)).about).toContain(
      "does not report its version",
    );
  });

  test.each([
    ["a database that there is not", () => `${redis.url}/99`, "no database with the number"],
    ["a wrong password", () => withUser("poor", "secret-of-nobody"), "user or password"],
    ["a user who may do nothing", () => withUser("poor", "a-password-of-poor"), "denies the user"],
  ])("%s is refused in a sentence that does not tell the password", async (_, url, words) => {
    await admin.call(
      "ACL",
      "SETUSER",
      "poor",
      "on",
      ">a-password-of-poor",
      "+ping",
      "+auth",
      "+info",
      "-select",
    );
    const opening = startLooking(silentLog, url());
    const error: unknown = await opening.catch((reason: unknown) => reason);
    expect(error).toMatchObject({ name: "AppError", message: expect.stringContaining(words) });
    expect(JSON.stringify(error)).not.toMatch(/secret-of|a-password/);
    expect((await examineRedis({ REDIS_URL: url() }, undefined)).faults.join(" ")).toContain(words);
  });
});

test("doctor looks at a Redis that is not there", async () => {
  const [finding] = await checkRedis({ REDIS_URL: "redis://:a-password@127.0.0.1:1" }, undefined);
  expect(finding).toMatchObject({
    part: "Redis",
    state: "wrong",
    message: expect.stringContaining("nothing listens"),
  });
  expect(JSON.stringify(finding)).not.toContain("a-password");
});
