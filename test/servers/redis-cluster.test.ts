import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { silentLog } from "../../src/log.ts";
import { examineRedis } from "../../src/queue/look-at-redis.ts";
import { findQueuePrefix, openQueues } from "../../src/queue/queues.ts";
import type { RedisSettings } from "../../src/queue/redis-client.ts";
import { runBanStory } from "../crash/ban-story.ts";
import { createServerDatabase, openTestDatabase, type TestDatabase } from "../support/database.ts";
import { createQueueWork } from "../support/queue-work.ts";
import { startCluster, startServer, tlsOf, type OwnServer } from "../support/redis-servers.ts";
import { hasRedis, requireCertificate } from "../support/services.ts";

const patiently = { timeout: 120_000, interval: 100 };

describe.runIf(hasRedis).each(["redis:", "rediss:"])("a Redis Cluster of three nodes at %s", (protocol) => {
  let database: TestDatabase;
  let nodes: OwnServer[];
  let settings: RedisSettings;

  beforeAll(async () => {
    database = await openTestDatabase();
    const names = [
      "--cluster-announce-hostname",
      "localhost",
      "--cluster-preferred-endpoint-type",
      "hostname",
    ];
    nodes = await startCluster(protocol === "rediss:" ? (port) => [...tlsOf(port), ...names] : undefined);
    const [first = 0, ...others] = nodes.map(({ port }) => port);
    settings = {
      REDIS_URL: `${protocol}//localhost:${first}`,
      REDIS_CLUSTER: others.map((port) => ({ host: "localhost", port })),
      ...(protocol === "rediss:" && { REDIS_CA_FILE: requireCertificate("authority") }),
    };
  });
  afterAll(async () => {
    for (const each of nodes) await each.kill();
    await database.close();
  });

  test("has the queues of several processes, on the node that their prefix names", async () => {
    const work = await createQueueWork(database, settings);
    const [first, second] = [await work.start(), await work.start()];
    const rooms = Array.from({ length: 10 }, (_, index) => `room ${index}`);
    for (const room of rooms) await work.add(room, 10);
    await Promise.all(rooms.map((room) => first.wake(room)));
    await expect.poll(() => work.done.length, patiently).toBe(100);
    expect(new Set(work.done).size).toBe(100);
    await expect.poll(() => work.ticks(), patiently).toBeGreaterThan(5);

    const prefix = await findQueuePrefix(database);
    const keys = await Promise.all(nodes.map(({ admin }) => admin.keys("*")));
    expect(keys.filter((each) => each.length > 0)).toHaveLength(1);
    expect(new Set(keys.flat().map((key) => key.split(":")[0]))).toEqual(new Set([`{${prefix}}`]));
    expect(await examineRedis(settings, prefix)).toEqual({
      about: expect.stringMatching(/^responds and accepts changes, version 7[.\d]*$/),
      faults: [],
    });
    for (const each of [first, second]) await each.close();
    expect(work.fatal).toEqual([]);
  });

  test("serves api, bot and worker: all nodes lose their connections before a ban, and its room is told of it", async () => {
    const created = await createServerDatabase();
    const steps: string[] = [];
    await runBanStory({
      settings: {
        DATABASE_URL: created.url,
        REDIS_URL: settings.REDIS_URL,
        REDIS_CLUSTER: nodes
          .slice(1)
          .map(({ port }) => `localhost:${port}`)
          .join(","),
        ...(settings.REDIS_CA_FILE !== undefined && { REDIS_CA_FILE: settings.REDIS_CA_FILE }),
      },
      write: (step) => void steps.push(step),
      async beforeBan() {
        const keys = await Promise.all(nodes.map(({ admin }) => admin.keys("{castellan-*")));
        expect(keys.flat()).not.toEqual([]);
        for (const { admin } of nodes) await admin.call("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes");
      },
    });
    expect(steps.at(-1)).toBe("the room was told of the ban");
    await created.drop();
  });

  test("is opened while the node of REDIS_URL is away, and its workers go on when all nodes lost their connections", async () => {
    const [away, ...others] = nodes.map(({ port }) => port);
    const unused = settings.REDIS_URL.replace(`:${away}`, ":1");
    const around = [away ?? 0, ...others].map((port) => ({ host: "localhost", port }));
    const work = await createQueueWork(database, { ...settings, REDIS_URL: unused, REDIS_CLUSTER: around });
    const process = await work.start();
    await expect.poll(() => work.ticks(), patiently).toBeGreaterThan(2);
    for (const { admin } of nodes) await admin.call("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes");
    const before = work.ticks();
    await expect.poll(() => work.ticks(), patiently).toBeGreaterThan(before + 3);
    await work.add("another", 3);
    await process.wake("another");
    await expect.poll(() => work.done, patiently).toEqual(["another 1", "another 2", "another 3"]);
    await process.close();
    expect(work.fatal).toEqual([]);
  });

  test("is refused without REDIS_CLUSTER, and a single server with it", async () => {
    const { REDIS_CLUSTER: _, ...single } = settings;
    const opening = openQueues(["looking"], { database, log: silentLog, redis: single });
    await expect(opening).rejects.toMatchObject({
      code: "invalid_configuration",
      message: "Redis is a cluster: set REDIS_CLUSTER to its other nodes, too.",
    });
    const alone = await startServer();
    const wrong = {
      REDIS_URL: `redis://localhost:${alone.port}`,
      REDIS_CLUSTER: [{ host: "localhost", port: alone.port }],
    };
    expect((await examineRedis(wrong, undefined)).faults).toEqual([
      "Redis is not a cluster; remove REDIS_CLUSTER.",
    ]);
    await alone.kill();
  });
});
