import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { systemClock } from "../../src/clock.ts";
import { connectServer } from "../../src/database/connect.ts";
import { silentLog } from "../../src/log.ts";
import { openQueues } from "../../src/queue/queues.ts";
import { startWorkers } from "../../src/queue/start-workers.ts";
import { createServerDatabase } from "../support/database.ts";
import { makeDataDirectory, runProgram, type DataDirectory } from "../support/program.ts";
import { hasServer, requireCertificate } from "../support/services.ts";

const keys = {
  REGISTRY_KEY: "ab".repeat(32),
  BOT_CUSTODY_KEY: "cd".repeat(32),
  BOT_APP_KEY: "ef".repeat(32),
  OPERATOR_TOKEN: "an-operator-token-of-enough-characters",
};

describe.runIf(hasServer)(
  "PostgreSQL over TLS, with sslmode=verify-full and an authority of the operator's own",
  () => {
    let created: Awaited<ReturnType<typeof createServerDatabase>>;
    let home: DataDirectory;

    beforeAll(async () => {
      [created, home] = await Promise.all([createServerDatabase(), makeDataDirectory()]);
    });
    afterAll(async () => {
      await created.drop();
      await home.remove();
    });

    const urlWith = (host: string, authority: string | undefined) => {
      const url = new URL(created.url);
      url.host = `${host}:${url.port}`;
      url.password = "a-password-of-postgres";
      url.searchParams.set("sslmode", "verify-full");
      if (authority !== undefined) url.searchParams.set("sslrootcert", authority);
      return url.href;
    };

    test("has data and queues; the connection that listens is encrypted, too", async () => {
      const database = connectServer(urlWith("localhost", requireCertificate("authority")));
      const queues = await openQueues(["looking"], { database, log: silentLog });
      let runs = 0;
      const worker = { name: "looking", run: async () => void (runs += 1) };
      const running = await startWorkers(queues, [worker], undefined, { log: silentLog, clock: systemClock });
      await queues.wake("looking");
      await expect.poll(() => runs).toBe(1);
      const { rows } = await sql<{ listens: boolean; ssl: boolean }>`
      select query ilike 'listen %' as listens, ssl from pg_stat_activity join pg_stat_ssl using (pid)
      where datname = current_database() and backend_type = 'client backend'
    `.execute(database.query);
      expect(rows.map(({ ssl }) => ssl)).not.toContain(false);
      expect(rows.filter(({ listens }) => listens)).toEqual([{ listens: true, ssl: true }]);
      await running.close();
      await queues.close();
      await database.close();
    });

    test.each([
      [
        "another name than its address",
        () => urlWith("127.0.0.1", requireCertificate("authority")),
        "its TLS certificate is for another name than its address",
      ],
      [
        "an unknown authority",
        () => urlWith("localhost", requireCertificate("stranger")),
        "its TLS certificate does not come from a trusted certificate authority",
      ],
      [
        "no authority named",
        () => urlWith("localhost", undefined),
        "its TLS certificate does not come from a trusted certificate authority",
      ],
      [
        "an authority's file that is missing",
        () => urlWith("localhost", "/nowhere/ca.pem"),
        "no such file or directory, open '/nowhere/ca.pem'",
      ],
    ])("is refused with %s, by start and doctor, without its password", async (_, url, words) => {
      const settings = { ...keys, DATA_DIR: home.directory, NETWORK: "empty", DATABASE_URL: url() };
      const started = runProgram(["start"], settings);
      expect(await started.exit).toBe(1);
      expect(started.output()).toContain("castellan: The database cannot be used: ");
      expect(started.output()).toContain(`${words}. Check DATABASE_URL`);
      const doctor = runProgram(["doctor"], settings);
      expect(await doctor.exit).toBe(1);
      expect(doctor.output()).toMatch(/WRONG +Database +The database cannot be used: /);
      expect(doctor.output()).toContain(`${words}. Check DATABASE_URL`);
      expect(started.output() + doctor.output()).not.toContain("a-password");
    });
  },
);
