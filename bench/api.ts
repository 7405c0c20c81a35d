import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { defaultSettings, type ApiContext } from "../src/api/context.ts";
import { createApi } from "../src/api/create-api.ts";
import { createRegistrySigner } from "../src/api/registry-signer.ts";
import { systemClock } from "../src/clock.ts";
import type { Database } from "../src/database/database.ts";
import { silentLog } from "../src/log.ts";
import { createSeed } from "../test/support/seed.ts";
import { portOf, serveNetwork } from "../test/support/serve-network.ts";
import { createBareServer, type Recording } from "./bare-server.ts";
import { openBenchDatabase } from "./bench-database.ts";
import type { Round, RoundResult } from "./load.ts";
import { recordStatements } from "./record-statements.ts";

/** Ratios to the bare server that the project promises. */
const targets = { "GET /v1/channel": 0.7, "GET /fc/channel-bans": 0.7, "POST /fc/channel-bans": 0.5 };
const rounds = 9;
const connections = 10;
const seconds = 1;
const moderator = 2;
const markedFid = 987_654_321;
const listedBans = 500;

const database = await openBenchDatabase();
const { context, recording } = await prepare(database);
const ours = await serveNetwork({ context, api: createApi(context) });
const bare = createBareServer(database.pool, recording);
await bare.listen({ host: "127.0.0.1", port: 0 });
const urls = { bare: `http://127.0.0.1:${portOf(bare)}`, ours: ours.url };
const authorization = `Bearer ${await ours.token(moderator)}`;
const load = fork(join(import.meta.dirname, "load.js"));

let nextFid = 1_000_000_000;
const isMet: boolean[] = [];
write(`${database.engine} Postgres, ${connections} connections, medians of ${rounds} rounds of ${seconds} s`);
write(row("", "bare/s", "ours/s", "ratio", "target", "bare µs", "ours µs"));
for (const [name, target] of Object.entries(targets)) {
  const rates: Record<"bare" | "ours", number[]> = { bare: [], ours: [] };
  const costs: Record<"bare" | "ours", number[]> = { bare: [], ours: [] };
  for (let round = 0; round <= rounds; round++) {
    for (const server of ["bare", "ours"] as const) {
      const { rate, cost } = await measure(name, urls[server]);
      // The first round warms up.
      if (round === 0) continue;
      rates[server].push(rate);
      costs[server].push(cost);
    }
  }
  const [bareRate, ourRate] = [median(rates.bare), median(rates.ours)];
  const ratio = ourRate / bareRate;
  isMet.push(ratio >= target);
  const figures = [bareRate.toFixed(0), ourRate.toFixed(0), ratio.toFixed(2), `≥ ${target}`];
  write(row(name, ...figures, median(costs.bare).toFixed(0), median(costs.ours).toFixed(0)));
}
load.kill();
await ours.server.close();
await bare.close();
await database.close();
process.exitCode = isMet.every(Boolean) ? 0 : 1;

/** A channel with members and bans, and what our routes do with it. */
async function prepare(database: Database): Promise<{ context: ApiContext; recording: Recording }> {
  const context: ApiContext = {
    database,
    clock: systemClock,
    log: silentLog,
    settings: defaultSettings,
    registry: createRegistrySigner(`0x${"7".repeat(64)}`, defaultSettings.nameDomain),
  };
  const members = Array.from({ length: 200 }, (_, index) => index + 100);
  await createSeed(database.query).channel("memes", { owner: 1, moderators: [moderator, 3, 4], members });
  const network = createApi(context).network(moderator);
  for (let fid = 10_000; fid < 10_000 + listedBans; fid++) {
    await network.channelBans.ban({ channelId: "memes", banFid: fid });
  }
  const recording: Recording = {
    channel: await recordStatements(() => network.channels.get({ channelId: "memes" })),
    bans: await recordStatements(() => network.channelBans.list({ channelId: "memes" })),
    ban: await recordStatements(() => network.channelBans.ban({ channelId: "memes", banFid: markedFid })),
    markedFid,
  };
  return { context, recording };
}

/** `cost` is the processor time of a call in microseconds, database and all where that is embedded. */
async function measure(name: string, url: string): Promise<{ rate: number; cost: number }> {
  const [method, path] = name.split(" ");
  const headers = { authorization, "content-type": "application/json" };
  const round: Round =
    method === "POST"
      ? { url: url + path, method, headers, firstFid: nextFid, seconds, connections }
      : { url: `${url}${path}?channelId=memes`, method: "GET", headers: {}, seconds, connections };
  nextFid += 1_000_000;
  const before = process.cpuUsage();
  load.send(round);
  // What the load process sends is a RoundResult.
  const [result] = (await once(load, "message")) as [RoundResult];
  if (result.failures > 0) throw new Error(`${name}: ${result.failures} calls failed at ${url}`);
  const { user, system } = process.cpuUsage(before);
  return { rate: result.rate, cost: (user + system) / result.answers };
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

function row(name: string, ...cells: string[]): string {
  return name.padEnd(24) + cells.map((cell) => cell.padStart(10)).join("");
}

function write(line: string): void {
  process.stdout.write(`${line}\n`);
}
