import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { systemClock } from "../../src/clock.ts";
import { connectDirectory } from "../../src/database/connect.ts";
import { silentLog } from "../../src/log.ts";
import { openQueues } from "../../src/queue/queues.ts";
import { releaseJobs } from "../../src/queue/postgres-backend.ts";
import { startWorkers } from "../../src/queue/start-workers.ts";
import { fillDirectory } from "../support/database-template.ts";

/** Milliseconds from the next process's start until it does what was left behind, and what it does before. */
const takeovers = [
  { when: "at once by one that knows itself alone", within: 8_000, before: releaseJobs },
  { when: "by another when its lock has expired", within: 60_000, before: async () => {} },
];

test.each(takeovers)("what a killed process did is done $when", { timeout: 200_000 }, async (takeover) => {
  const directory = await mkdtemp(join(tmpdir(), "castellan-test-"));
  await fillDirectory(directory);
  const child = spawn(
    process.execPath,
    ["--import", "tsx", join(import.meta.dirname, "dying-worker.ts"), directory],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  await once(child.stdout, "data");
  const exit = once(child, "exit");
  child.kill("SIGKILL");
  await exit;

  const database = await connectDirectory(directory);
  const queues = await openQueues(["dying"], { database, log: silentLog });
  expect(await queues.status()).toMatchObject([{ active: 1, waiting: 0 }]);
  await takeover.before(database);
  const keys: unknown[] = [];
  const worker = {
    name: "dying",
    run: async (_: undefined, job: { key: string | undefined }) => void keys.push(job.key),
  };
  const running = await startWorkers(queues, [worker], undefined, { log: silentLog, clock: systemClock });
  await vi.waitFor(() => expect(keys).toEqual(["left behind"]), { timeout: takeover.within, interval: 100 });
  await running.close();
  await queues.close();
  await database.close();
  await rm(directory, { recursive: true });
});
