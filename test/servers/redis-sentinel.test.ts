import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { examineRedis, waitForRedis } from "../../src/queue/look-at-redis.ts";
import type { RedisSettings } from "../../src/queue/redis-client.ts";
import { runBanStory } from "../crash/ban-story.ts";
import { createServerDatabase, openTestDatabase, type TestDatabase } from "../support/database.ts";
import { createQueueWork } from "../support/queue-work.ts";
import { startServer, type OwnServer } from "../support/redis-servers.ts";
import { hasRedis, requireCertificate } from "../support/services.ts";

const secret = "a-password-of-the-sentinels";
const patiently = { timeout: 120_000, interval: 100 };

describe.runIf(hasRedis)("Redis with Sentinels", () => {
  let database: TestDatabase;
  let servers: OwnServer[];
  let sentinels: OwnServer[];
  let settings: RedisSettings;

  beforeAll(async () => {
    database = await openTestDatabase();
    const master = await startServer();
    const replicas = await Promise.all([startServer(), startServer()]);
    for (const { admin } of replicas) await admin.call("REPLICAOF", "127.0.0.1", String(master.port));
    servers = [master, ...replicas];
    const lines = (port: number) => [
      `port ${port}`,
      "bind 127.0.0.1",
      `requirepass ${secret}`,
      `sentinel sentinel-pass ${secret}`,
      `sentinel monitor queues 127.0.0.1 ${master.port} 2`,
      "sentinel down-after-milliseconds queues 1000",
      "sentinel failover-timeout queues 5000",
    ];
    sentinels = await Promise.all([0, 1, 2].map(() => startServer({ lines, password: secret })));
    for (const { admin } of sentinels) {
      await vi.waitFor(async () => {
        const master = JSON.stringify(await admin.call("SENTINEL", "MASTER", "queues"));
        if (!/num-slaves\W+2\W[^]*num-other-sentinels\W+2\W/.test(master)) throw new Error(master);
      }, patiently);
    }
    settings = {
      REDIS_URL: "redis://queues",
      REDIS_SENTINELS: sentinels.map(({ port }) => ({ host: "127.0.0.1", port })),
      REDIS_SENTINEL_PASSWORD: secret,
    };
  });
  afterAll(async () => {
    for (const each of [...sentinels, ...servers]) await each.kill();
    await database.close();
  });

  const masterPort = async () => {
    const answer = await sentinels[0]?.admin.call("SENTINEL", "GET-MASTER-ADDR-BY-NAME", "queues");
    const [, port] = z.tuple([z.string(), z.string()]).parse(answer);
    return Number(port);
  };

  test("are examined through them, and report what is wrong without the password", async () => {
    expect(await examineRedis(settings, undefined)).toEqual({
      about: expect.stringContaining("responds and accepts changes, version 7"),
      faults: [],
    });
    const { REDIS_SENTINEL_PASSWORD: _, ...open } = settings;
    const nobody = [{ host: "127.0.0.1", port: 1 }];
    for (const [wrong, words] of [
      [
        { ...settings, REDIS_URL: "redis://others" },
        "The Sentinels do not know the master that REDIS_URL names.",
      ],
      [open, "The Sentinels reject REDIS_SENTINEL_PASSWORD, or require one."],
      [
        { ...settings, REDIS_SENTINEL_PASSWORD: "a-secret-of-nobody" },
        "The Sentinels reject REDIS_SENTINEL_PASSWORD, or require one.",
      ],
      [
        { ...settings, REDIS_SENTINELS: nobody },
        "Its server does not respond: nothing listens at its address.",
      ],
    ] as const) {
      expect(await examineRedis(wrong, undefined)).toEqual({ about: "", faults: [words] });
      await expect(waitForRedis(wrong)).rejects.toMatchObject({
        name: "AppError",
        message: expect.stringContaining(words.slice(1, -1)),
      });
    }
  });

  const findMaster = async () => {
    const port = await masterPort();
    const master = servers.find((server) => server.port === port);
    if (!master) throw new Error("There is no master.");
    return master;
  };

  test("serve api, bot and worker, with PostgreSQL over TLS: the master hangs before a ban, and its room is told of it", async () => {
    const created = await createServerDatabase();
    const url = new URL(created.url.replace("127.0.0.1", "localhost"));
    url.searchParams.set("sslmode", "verify-full");
    url.searchParams.set("sslrootcert", requireCertificate("authority"));
    const master = await findMaster();
    const steps: string[] = [];
    await runBanStory({
      settings: {
        DATABASE_URL: url.href,
        REDIS_URL: settings.REDIS_URL,
        REDIS_SENTINELS: sentinels.map(({ port }) => `127.0.0.1:${port}`).join(","),
        REDIS_SENTINEL_PASSWORD: secret,
      },
      write: (step) => void steps.push(step),
      async beforeBan() {
        expect(await master.admin.keys("castellan-*")).not.toEqual([]);
        master.halt();
        await vi.waitFor(async () => {
          if ((await masterPort()) === master.port) throw new Error("The master is still the same.");
        }, patiently);
      },
    });
    expect(steps.at(-1)).toBe("the room was told of the ban");
    master.goOn();
    await created.drop();
  });

  test.each([
    ["is killed", (master: OwnServer) => master.kill()],
    ["hangs", async (master: OwnServer) => master.halt()],
  ])(
    "when the master %s, another takes over: nothing is lost or done twice, and the workers go on",
    async (what, lose) => {
      const work = await createQueueWork(database, settings);
      const [first, second] = [await work.start(), await work.start()];
      const rooms = Array.from({ length: 20 }, (_, index) => `${what} ${index}`);
      const units = 200;
      for (const room of rooms) await work.add(room, units);
      await Promise.all(rooms.map((room) => first.wake(room)));
      await expect.poll(() => work.done.length, patiently).toBeGreaterThan(200);

      const master = await findMaster();
      await lose(master);
      const lostAt = work.done.length;
      expect(lostAt).toBeLessThan(rooms.length * units);
      await expect.poll(masterPort, patiently).not.toBe(master.port);
      const ticksBefore = work.ticks();
      await expect.poll(() => work.done.length, patiently).toBe(rooms.length * units);
      expect(new Set(work.done).size).toBe(rooms.length * units);
      await expect.poll(() => work.ticks(), patiently).toBeGreaterThan(ticksBefore + 5);

      await work.add("later", 1);
      await second.wake("later");
      await expect.poll(() => work.done.at(-1), patiently).toMatch(/^later/);
      expect(work.fatal).toEqual([]);
      master.goOn();
      for (const each of [first, second]) await each.close();
    },
  );
});
