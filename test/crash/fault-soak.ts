/**
 * `.ci/services.sh npm run soak:faults`: Redis emptied, PostgreSQL behind a road that falls silent, a disk that fills up,
 * each under load; after how many seconds everything works again without a hand, and whether anything is lost or twice.
 */
import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { databaseUrl } from "../support/database-template.ts";
import { requireServers } from "../support/services.ts";
import { startRelay } from "../support/relay.ts";
import { emptiedRedis, fullDisk, silentRoad, suffering } from "./faults.ts";
import { besiege, type Disturbance } from "./siege.ts";
import type { Mode } from "./site.ts";

const { server, redis } = requireServers();
const only = process.argv[2];
const write = (line: string) => void process.stdout.write(`${line}\n`);
let failed = 0;

async function run(
  title: string,
  siege: { mode: Mode; disturb: Disturbance; environment?: Record<string, string>; directory: string },
) {
  write(`\n${title}`);
  const verdicts = await besiege({ ...siege, seed: 1, tell: (line) => write(`  ${line}`) });
  for (const { title: what, looked, faults } of verdicts) {
    write(`  ${faults.length === 0 ? "passed" : "FAILED"}  ${String(looked).padStart(6)}  ${what}`);
    for (const fault of faults.slice(0, 10)) write(`            ${fault}`);
    failed += faults.length === 0 ? 0 : 1;
  }
}

async function makeDatabase(): Promise<string> {
  const name = `castellan_faults_${randomBytes(4).toString("hex")}`;
  const client = new Client({ connectionString: server });
  await client.connect();
  await client.query(`create database ${name}`);
  await client.end();
  return databaseUrl(server, name);
}

/** The same address by way of a relay. */
function through(url: string, relay: { url: string }): string {
  const address = new URL(url);
  address.host = new URL(relay.url).host;
  return address.href;
}

const folder = await mkdtemp(join(tmpdir(), "castellan-faults-"));
if (!only || only === "redis") {
  const relay = await startRelay(redis);
  await run("Redis is emptied", {
    mode: "bot",
    directory: join(folder, "redis"),
    disturb: suffering(emptiedRedis(redis, relay)),
    environment: { DATABASE_URL: await makeDatabase(), REDIS_URL: through(redis, relay) },
  });
  await relay.close();
}
if (!only || only === "postgres") {
  const relay = await startRelay(server);
  await run("The road to PostgreSQL falls silent", {
    mode: "bot",
    directory: join(folder, "postgres"),
    disturb: suffering(silentRoad(relay)),
    environment: { DATABASE_URL: through(await makeDatabase(), relay) },
  });
  await relay.close();
}
for (const megabytes of only && only !== "disk" ? [] : [40, 2]) {
  const disk = await mkdtemp(join(folder, "disk-"));
  execFileSync("mount", ["-t", "tmpfs", "-o", "size=600m", "tmpfs", disk]);
  try {
    await run(`The disk fills up to ${megabytes} MB and is freed`, {
      mode: "together",
      directory: disk,
      disturb: suffering(fullDisk(disk, megabytes * 2 ** 20)),
    });
  } finally {
    execFileSync("umount", [disk]);
  }
}
await rm(folder, { recursive: true });
write(failed === 0 ? "\nall passed" : `\n${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
