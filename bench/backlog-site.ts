import { fork, type ChildProcess } from "node:child_process";
import { randomBytes, randomUUID } from "node:crypto";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { connectServer } from "../src/database/connect.ts";
import { migrate } from "../src/database/migrate.ts";
import { openBulkSite, type BulkPlace } from "../test/crash/bulk-site.ts";
import { requireServers } from "../test/support/services.ts";
import { administer } from "./bench-database.ts";
import type { BacklogNews } from "./backlog-worker.ts";

/** A new migrated database on the server, with the jobs in Redis or in the same database; deleted by `close`. */
export async function openBacklogSite(jobsInPostgres: boolean) {
  const { server, redis } = requireServers();
  const name = `castellan_bench_${randomBytes(6).toString("hex")}`;
  await administer(server, `create database ${name}`);
  const url = Object.assign(new URL(server), { pathname: `/${name}` }).href;
  const empty = connectServer(url);
  await migrate(empty);
  await empty.close();
  const place: BulkPlace = {
    database: url,
    prefix: randomUUID(),
    ...(!jobsInPostgres && { redis: { REDIS_URL: redis } }),
  };
  const { database, bot } = await openBulkSite(place);
  const close = async () => {
    await database.close();
    await administer(server, `drop database ${name} with (force)`);
  };
  return { place, database, bot, close };
}

/** A process that runs these workers. */
export async function startBacklogWorker(
  place: BulkPlace,
  { names, api }: { names: string[]; api: string },
  onNews: (news: BacklogNews) => void = () => {},
): Promise<ChildProcess> {
  const given = JSON.stringify({ ...place, api, names });
  const worker = fork(join(import.meta.dirname, "backlog-worker.ts"), [given]);
  await new Promise<void>((resolve) => {
    worker.on("message", (news: BacklogNews) => {
      if (news.kind === "ready") resolve();
      else onNews(news);
    });
  });
  return worker;
}

/** Milliseconds between kills. */
const killEvery = 12_000;

/** Kills each of these workers in turn, as long as there is work, and starts another in its place. */
export async function killInTurn(
  workers: Set<ChildProcess>,
  start: () => Promise<ChildProcess>,
  isDone: () => boolean,
): Promise<void> {
  const first = [...workers];
  for (const worker of first) {
    await sleep(killEvery);
    if (isDone()) return;
    await endWorker(worker);
    workers.delete(worker);
    workers.add(await start());
  }
}

export async function endWorker(worker: ChildProcess): Promise<void> {
  worker.kill("SIGKILL");
  await once(worker, "exit");
}
