/**
 * `.ci/services.sh npm run bench:hub`: one `castellan worker` on a PostgreSQL and a Redis, with a live hub's two shards,
 * where one event in a thousand is in its channel: how fast it catches up, and what it uses at 50 events a second.
 */
import { fork } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { connectServer } from "../src/database/connect.ts";
import type { Database } from "../src/database/database.ts";
import { migrate } from "../src/database/migrate.ts";
import { botFid, channelId, makeTown } from "../test/crash/town.ts";
import { secretOf } from "../test/support/signing.ts";
import { administer } from "./bench-database.ts";
import { judge, write } from "./figures.ts";
import { spawnCastellan } from "./spawn-castellan.ts";

/** Per shard. */
const past = 150_000;
const guildId = "100000000000000001";
const channelUrl = `https://castle.example/~/channel/${channelId}`;
const goals = { caughtUp: 8_000, processor: 5, megabytes: 250 };
/** Seconds before the steady state is measured, and seconds of measuring. */
const [settling, measured] = [10, 30];
/** Maximum seconds for catching up, because the machine may have other work. */
const patience = 240;

const { TEST_DATABASE_URL: server, TEST_REDIS_URL: redis } = process.env;
if (!server || !redis)
  throw new Error("It needs a PostgreSQL and a Redis: .ci/services.sh npm run bench:hub");

type Environment = Record<string, string>;
const ends: (() => Promise<unknown>)[] = [];

/** Starts a role; returns its process and the addresses in its ready line. */
async function launch(role: string, env: Environment): Promise<{ pid: number; addresses: Environment }> {
  const child = spawnCastellan({
    checkout: ".",
    role,
    env: { PORT: "0", SANDBOX_PORT: "0", CONSOLE_PORT: "0", LOG_LEVEL: "error", ...env },
    stdout: "pipe",
  });
  ends.push(async () => child.kill() && (await once(child, "exit")));
  if (!child.stdout) throw new Error("nothing is heard of it");
  for await (const line of createInterface(child.stdout)) {
    if (!line.startsWith("castellan ready:")) continue;
    const found = line.matchAll(/(\w+) (http:\/\/[^\s,]+)/g);
    child.stdout.resume();
    return {
      pid: child.pid ?? 0,
      addresses: Object.fromEntries([...found].map(([, name = "", at = ""]) => [name, at])),
    };
  }
  throw new Error(`castellan ${role} ended before it was ready`);
}

async function startShards(): Promise<string> {
  const child = fork(fileURLToPath(import.meta.resolve("./shard-pages.ts")), [String(past), channelUrl]);
  ends.push(async () => child.kill() && (await once(child, "exit")));
  // The hub sends its address.
  const [url] = (await once(child, "message")) as [string];
  return url;
}

/** A new database with a link older than the hub's past, so that all of it is news. */
async function prepare(url: string): Promise<{ database: Database; address: string }> {
  const name = `castellan_bench_${randomBytes(6).toString("hex")}`;
  await administer(url, `create database ${name}`);
  ends.push(() => administer(url, `drop database ${name} with (force)`));
  const own = new URL(url);
  own.pathname = `/${name}`;
  const database = connectServer(own.href);
  ends.push(() => database.close());
  await migrate(database);
  const at = Date.now() - 2 * 86_400_000;
  const link = {
    guild_id: guildId,
    channel_id: channelId,
    channel_url: channelUrl,
    channel_name: "Night Garden",
  };
  await database.query
    .insertInto("castellan.links")
    .values({ ...link, linked_by: guildId, linked_at_ms: at, verified_at_ms: at })
    .execute();
  return { database, address: own.href };
}

async function countSeen({ query }: Database): Promise<number> {
  const { seen } = await query
    .selectFrom("castellan.sources")
    .select(sql<number>`coalesce(sum(seen), 0)::float8`.as("seen"))
    .where("source", "like", "hub/%")
    .executeTakeFirstOrThrow();
  return seen;
}

/** Events a second, from the first page to the last event that existed at the start. */
async function catchUp(database: Database): Promise<number> {
  const end = performance.now() + patience * 1000;
  let first: { seen: number; at: number } | undefined;
  while (performance.now() < end) {
    const [seen, at] = [await countSeen(database), performance.now()];
    if (seen > 0) first ??= { seen, at };
    if (first && seen >= 2 * past) return ((seen - first.seen) / (at - first.at)) * 1000;
    await sleep(100);
  }
  throw new Error(`It had not caught up after ${patience} seconds.`);
}

/** In hundredths of a core, and megabytes. */
async function readProcess(pid: number): Promise<{ processor: number; megabytes: number }> {
  const fields = (await readFile(`/proc/${pid}/stat`, "utf8")).split(" ");
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  const megabytes = Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
  return { megabytes, processor: Number(fields[13]) + Number(fields[14]) };
}

const directory = await mkdtemp(join(tmpdir(), "castellan-bench-"));
try {
  const file = join(directory, "town.json");
  await writeFile(file, JSON.stringify(await makeTown(Math.floor(Date.now() / 1000))));
  const bot = { BOT_FID: String(botFid), BOT_APP_KEY: secretOf(botFid).toString("hex") };
  const token = { DISCORD_TOKEN: "the.bot.of.a.bench.at.the.local.Discord" };
  const api = await launch("api", { ...bot, NETWORK_FILE: file, DATA_DIR: join(directory, "network") });
  const discord = await launch("sandbox", { ...token, DATA_DIR: join(directory, "discord") });
  const { database, address } = await prepare(server);
  const network = api.addresses["network"] ?? "";
  const worker = await launch("worker", {
    ...bot,
    ...token,
    NETWORK: "live",
    CLIENT_API_URL: network,
    REGISTRY_URL: network,
    HUB_URL: await startShards(),
    DISCORD_API: `${discord.addresses["sandbox"]}/api`,
    DATABASE_URL: address,
    REDIS_URL: redis,
    CHANNEL_GUILDS: `${channelId}:${guildId}`,
    DATA_DIR: join(directory, "worker"),
  });
  const idle = await readProcess(worker.pid);
  const rate = await catchUp(database);
  const { megabytes: most, processor } = await readProcess(worker.pid);
  const each = (2 * past * 100) / (processor - idle.processor);
  await sleep(settling * 1000);
  const [before, seen] = [await readProcess(worker.pid), await countSeen(database)];
  await sleep(measured * 1000);
  const [after, seenAfter] = [await readProcess(worker.pid), await countSeen(database)];
  write(
    `${2 * past} events caught up, ${each.toFixed(0)} in a second of its processor time; then ${((seenAfter - seen) / measured).toFixed(1)} a second`,
  );
  const met = [
    judge("events a second, catching up", rate, { least: goals.caughtUp }),
    judge("% of a core at 50 a second", (after.processor - before.processor) / measured, {
      most: goals.processor,
    }),
    judge("MB when caught up", most, { most: goals.megabytes }),
    judge("MB at 50 a second", after.megabytes, { most: goals.megabytes }),
  ];
  process.exitCode = met.every(Boolean) ? 0 : 1;
} finally {
  for (const end of ends.toReversed()) await end();
  await rm(directory, { recursive: true, force: true });
}
