import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { examineRedis } from "../../src/queue/look-at-redis.ts";
import type { RedisSettings } from "../../src/queue/redis-client.ts";
import { openTestDatabase, type TestDatabase } from "../support/database.ts";
import { makeDataDirectory, runProgram } from "../support/program.ts";
import { createQueueWork } from "../support/queue-work.ts";
import { startServer, tlsOf, type OwnServer } from "../support/redis-servers.ts";
import { hasRedis, requireCertificate } from "../support/services.ts";

const patiently = { timeout: 60_000, interval: 100 };

describe.runIf(hasRedis)("Redis over TLS, with an authority of the operator's own", () => {
  let database: TestDatabase;
  let server: OwnServer;
  let settings: RedisSettings & { REDIS_CA_FILE: string };

  beforeAll(async () => {
    database = await openTestDatabase();
    server = await startServer({ words: tlsOf });
    await server.admin.config("SET", "requirepass", "a-password-of-redis");
    settings = {
      REDIS_URL: `rediss://:a-password-of-redis@localhost:${server.port}`,
      REDIS_CA_FILE: requireCertificate("authority"),
    };
  });
  afterAll(async () => {
    await server.kill();
    await database.close();
  });

  test("has the queues, on connections that are all encrypted", async () => {
    const work = await createQueueWork(database, settings);
    const process = await work.start();
    await work.add("room", 5);
    await process.wake("room");
    await expect.poll(() => work.done, patiently).toHaveLength(5);
    await expect.poll(() => work.ticks(), patiently).toBeGreaterThan(3);
    await process.close();
    expect(work.fatal).toEqual([]);
  });

  test.each([
    [
      "whose authority is unknown",
      () => ({ ...settings, REDIS_CA_FILE: requireCertificate("stranger") }),
      "does not come from a trusted certificate authority",
    ],
    [
      "without REDIS_CA_FILE",
      () => ({ REDIS_URL: settings.REDIS_URL }),
      "does not come from a trusted certificate authority",
    ],
    [
      "with another name than its address",
      () => ({ ...settings, REDIS_URL: settings.REDIS_URL.replace("localhost", "127.0.0.1") }),
      "is for another name than its address",
    ],
  ])(
    "is refused at once with a certificate %s, by start and doctor, without its password",
    async (_, change, words) => {
      const { directory, remove } = await makeDataDirectory();
      const wrong = { DATA_DIR: directory, NETWORK: "empty", ...change() };
      const started = runProgram(["start"], wrong);
      expect(await started.exit).toBe(1);
      expect(started.output()).toContain(
        `castellan: Redis's TLS certificate ${words}; check REDIS_URL and REDIS_CA_FILE.`,
      );
      const doctor = runProgram(["doctor"], wrong);
      expect(await doctor.exit).toBe(1);
      expect(doctor.output()).toMatch(new RegExp(`WRONG +Redis +Redis's TLS certificate ${words}`));
      expect(started.output() + doctor.output()).not.toContain("a-password");
      await remove();
    },
  );

  test("is examined in words when the file is gone", async () => {
    const gone = { ...settings, REDIS_CA_FILE: "/nowhere/ca.pem" };
    expect((await examineRedis(gone, undefined)).faults).toEqual([
      "REDIS_CA_FILE (/nowhere/ca.pem) cannot be read: there is no such file or directory.",
    ]);
  });

  test("is not found where a server accepts no TLS", async () => {
    const plain = await startServer();
    const { faults } = await examineRedis(
      { ...settings, REDIS_URL: `rediss://localhost:${plain.port}` },
      undefined,
    );
    expect(faults).toEqual(["Redis has not responded for 3 s (it may not accept TLS)."]);
    await plain.kill();
  });
});
