import { fork } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { sql } from "kysely";
import { connectServer, unlimited } from "../src/database/connect.ts";
import type { Database } from "../src/database/database.ts";
import { groupBy } from "../src/group-by.ts";
import { runProgram, type Program } from "../test/support/program.ts";
import { castHash } from "../test/support/seed.ts";
import { findPort, requireServers } from "../test/support/services.ts";
import { secretOf } from "../test/support/signing.ts";
import { administer } from "./bench-database.ts";
import { judge, percentile, row, write } from "./figures.ts";
import type { FleetNews, FleetOrder } from "./fleet-discord.ts";
import { botFid, channelOf, makeNetwork, scamText, seedServers, speakers } from "./fleet-seed.ts";

/**
 * `.ci/services.sh npm run bench:load`: many servers on one machine, with the roles api, bot and worker apart, on PostgreSQL and
 * Redis. People type commands and the hub tells of casts, of which one in ten is in a linked channel, and one in a hundred breaks
 * a rule. Reports response times, delays, memory and processor time, and so what ends first.
 */
const { values } = parseArgs({
  options: {
    servers: { type: "string", default: "1000" },
    channels: { type: "string", default: "5000" },
    minutes: { type: "string", default: "10" },
    commands: { type: "string", default: "50" },
    events: { type: "string", default: "500" },
  },
});
const servers = Number(values.servers);
const channels = Number(values.channels);
const seconds = Number(values.minutes) * 60;
const perSecond = Number(values.events);
const [oursIn, scamIn] = [10, 100];
const firstReadingMs = 900_000;
const drainMs = 60_000;
const sampleMs = 5_000;
const discordToken = "the.bot.of.many.servers.at.the.local.Discord";

/** Of a process: whose child it is, its processor time in seconds with that of ended children, and its memory in MB. */
async function readProcess(pid: number): Promise<{ parent: number; cpu: number; mb: number }> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  // The name before it may contain spaces.
  const fields = stat
    .slice(stat.lastIndexOf(")") + 2)
    .split(" ")
    .map(Number);
  const [, parent = 0] = fields;
  const cpu = fields.slice(11, 15).reduce((sum, ticks) => sum + ticks, 0) / 100;
  return { parent, cpu, mb: ((fields[21] ?? 0) * 4096) / 1024 / 1024 };
}

type Usage = Map<string, { cpu: number; mb: number }>;

/** What the processes use, by their names; PostgreSQL's are the server and its children. */
async function measure(pids: ReadonlyMap<string, number>, postmaster: number): Promise<Usage> {
  const used: Usage = new Map();
  for (const [name, pid] of pids) used.set(name, await readProcess(pid));
  const postgres = await readProcess(postmaster);
  for (const pid of (await readdir("/proc")).map(Number).filter(Number.isInteger)) {
    const { parent, cpu, mb } = await readProcess(pid);
    if (parent !== postmaster) continue;
    postgres.cpu += cpu;
    // Shared pages count again in each process.
    postgres.mb = Math.max(postgres.mb, mb);
  }
  return used.set("PostgreSQL", postgres);
}

const { server, redis: redisUrl } = requireServers();
const database = `load_${randomBytes(4).toString("hex")}`;
const url = Object.assign(new URL(server), { pathname: `/${database}` }).href;
const directory = await mkdtemp(join(tmpdir(), "castellan-load-"));
const file = join(directory, "network.json");
await administer(server, `create database ${database}`);

const discord = fork(new URL("fleet-discord.ts", import.meta.url).pathname, [String(servers), discordToken], {
  execArgv: ["--import", "tsx"],
});
const failsAtEnd = once(discord, "exit").then(() => {
  throw new Error("the local Discord ended");
});
failsAtEnd.catch(() => {});
// A message that this process's own program sends.
const [ready] = (await once(discord, "message")) as [Extract<FleetNews, { kind: "ready" }>];
await writeFile(file, JSON.stringify(await makeNetwork(2 * channels, ready.ownerId)));
const operatorToken = randomBytes(32).toString("hex");
const port = await findPort();
const network = `http://127.0.0.1:${port}`;
const settings = {
  DATABASE_URL: url,
  REDIS_URL: redisUrl,
  DATA_DIR: directory,
  OPERATOR_TOKEN: operatorToken,
  BOT_FID: String(botFid),
  BOT_APP_KEY: secretOf(botFid).toString("hex"),
  DISCORD_TOKEN: discordToken,
  DISCORD_API: ready.api,
  CLIENT_API_URL: network,
  REGISTRY_URL: network,
  HUB_URL: network,
};
const roles: [string, Program][] = [];
const start = async (role: string, more: Record<string, string> = {}) => {
  const program = runProgram([role], { ...settings, ...more });
  roles.push([role, program]);
  await program.ready;
};

let met = true;
try {
  await start("api", { PORT: String(port), NETWORK: "empty", NETWORK_FILE: file });
  const bot = connectServer(url, unlimited);
  const began = performance.now();
  await seedServers(bot, ready, channels / servers);
  write(
    `${servers} servers with ${channels} channels in ${((performance.now() - began) / 1000).toFixed(0)} s`,
  );
  const starting = performance.now();
  await Promise.all([start("bot"), start("worker")]);
  write(`bot and worker ready after ${((performance.now() - starting) / 1000).toFixed(1)} s`);
  await untilRead(bot);
  write(
    `each channel was read for the first time after ${((performance.now() - starting) / 1000).toFixed(0)} s`,
  );
  met = await load(bot);
  await bot.close();
} catch (error) {
  for (const [role, program] of roles)
    write(`${role}:\n${program.output().split("\n").slice(-20).join("\n")}`);
  throw error;
} finally {
  for (const [, program] of roles.toReversed()) await program.end();
  if (discord.connected) discord.send("end");
  await failsAtEnd.catch(() => {});
  await administer(server, `drop database ${database} with (force)`);
  await rm(directory, { recursive: true });
}
process.exit(met ? 0 : 1);

/** Until then nobody knows whom rules exempt, so they wait. */
async function untilRead(bot: Database): Promise<void> {
  for (const began = performance.now(); ; await sleep(1000)) {
    const { rows } = await sql<{ read: number }>`
      select count(*)::int as read from castellan.sources where channel_id is not null and has_baseline
    `.execute(bot.query);
    if (rows[0]?.read === 2 * channels) return;
    if (performance.now() - began > firstReadingMs) throw new Error(`only ${rows[0]?.read} lists were read`);
  }
}

/** Casts at a steady rate, a batch a second; returns when each in a linked channel was sent, in UNIX milliseconds. */
async function cast(): Promise<{ ours: Map<string, number>; scams: Set<string>; late: number }> {
  const ours = new Map<string, number>();
  const scams = new Set<string>();
  const started = performance.now();
  let number = 0;
  for (let second = 0; second < seconds; second += 1) {
    await sleep(Math.max(0, started + second * 1000 - performance.now()));
    const casts = Array.from({ length: perSecond }, () => {
      number += 1;
      const isOurs = number % oursIn === 0;
      const isScam = number % scamIn === 0;
      const channel = channelOf(isOurs ? (number / oursIn) % channels : channels + (number % channels));
      const hash = castHash(1_000_000 + number);
      if (isOurs) ours.set(hash, Date.now());
      if (isScam) scams.add(hash);
      const text = isScam ? scamText(number) : `Seeds of the day, ${number}`;
      return { hash, fid: speakers[number % speakers.length], text, channelId: channel };
    });
    const response = await fetch(`${network}/operator/network`, {
      method: "POST",
      headers: { authorization: `Bearer ${operatorToken}`, "content-type": "application/json" },
      body: JSON.stringify({ casts }),
    });
    if (!response.ok) throw new Error(`import: ${response.status} ${await response.text()}`);
    await response.arrayBuffer();
  }
  return { ours, scams, late: performance.now() - started - seconds * 1000 };
}

async function load(bot: Database): Promise<boolean> {
  const pids = new Map([
    ...roles.map(([role, { child }]): [string, number] => [role, child.pid ?? 0]),
    ["Discord, and who types", discord.pid ?? 0],
    ["this bench", process.pid],
  ]);
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(bot.query);
  const postmaster = (await readProcess(rows[0]?.pid ?? 0)).parent;
  const order: FleetOrder = {
    perSecond: Number(values.commands),
    seconds,
    commands: [
      { command: "who", options: { user: String(speakers[7]) } },
      { command: "case show", options: {} },
      { command: "help", options: {} },
      { command: "find", options: { text: "seeds" } },
      {
        command: "ban",
        options: { user: String(speakers[9]), duration: "7d", reason: "spam" },
      },
    ],
  };
  const before = await measure(pids, postmaster);
  const most = new Map<string, number>();
  const sampler = setInterval(() => {
    void measure(pids, postmaster).then((now) => {
      for (const [name, { mb }] of now) most.set(name, Math.max(most.get(name) ?? 0, mb));
    });
  }, sampleMs);
  const begun = performance.now();
  discord.send(order);
  const typing = Promise.race([once(discord, "message"), failsAtEnd]) as Promise<
    [Extract<FleetNews, { kind: "typed" }>]
  >;
  const [sent, [typed]] = await Promise.all([cast(), typing]);
  const took = (performance.now() - begun) / 1000;
  const after = await measure(pids, postmaster);
  clearInterval(sampler);
  await sleep(drainMs);

  const state = await sql<{ what: string; count: number }>`
    select kind || ' ' || state || ' ' || coalesce(outcome, '') as what, count(*)::int as count from castellan.cases group by 1
    union all select 'event ' || kind, count(*)::int from castellan.events group by 1
  `.execute(bot.query);
  for (const { what, count } of state.rows) write(row(what, String(count)));
  write(row("", "cpu s/s", "MB, most"));
  for (const [name, { cpu }] of after) {
    const used = (cpu - (before.get(name)?.cpu ?? 0)) / took;
    write(row(name, used.toFixed(2), (most.get(name) ?? 0).toFixed(0)));
  }
  write(`the last batch of casts began ${(sent.late / 1000).toFixed(1)} s late`);
  return report(bot, sent, typed);
}

async function report(
  bot: Database,
  { ours, scams }: { ours: Map<string, number>; scams: Set<string> },
  typed: Extract<FleetNews, { kind: "typed" }>,
): Promise<boolean> {
  const { rows: seen } = await sql<{ hash: string; at: number }>`
    select cast_hash as hash, observed_at_ms as at from castellan.events where kind = 'cast.created'
  `.execute(bot.query);
  const { rows: hidden } = await sql<{ hash: string; at: number }>`
    select target_cast as hash, settled_at_ms as at from castellan.cases where kind = 'hide' and state = 'applied'
  `.execute(bot.query);
  const { rows: posted } = await sql<{ hash: string; at: number }>`
    select cases.target_cast as hash, max(messages.settled_at_ms) as at
    from castellan.feed_rows rows
    join castellan.feed_messages messages on messages.id = rows.message_id and messages.state = 'sent'
    join castellan.events events on events.id = rows.event_id
    join castellan.cases on cases.cause_event_id = events.id or cases.id = events.case_id
    where cases.kind = 'hide'
    group by 1
  `.execute(bot.query);
  const waits = (found: readonly { hash: string; at: number }[], among: ReadonlySet<string>) =>
    found.flatMap(({ hash, at }) => {
      const from = ours.get(hash);
      return from !== undefined && among.has(hash) ? [(at - from) / 1000] : [];
    });
  const told = new Set(ours.keys());
  const observed = waits(seen, told);
  const hides = waits(hidden, scams);
  const posts = waits(posted, scams);
  write(
    `${ours.size} casts in linked channels: ${observed.length} seen; of ${scams.size} to hide, ${hides.length} hidden, ${posts.length} told`,
  );
  const { acknowledged, answered, failed } = typed;
  const commands = acknowledged.length + failed;
  write(`${commands} commands: ${answered.length} answered, ${failed} not acknowledged`);
  const byCommand = groupBy(answered, ({ command }) => command);
  for (const [command, all] of byCommand) {
    const parts = [50, 99].map((part) =>
      percentile(
        all.map(({ ms }) => ms),
        part,
      ).toFixed(0),
    );
    write(row(`/${command} answered, ms, p50 and p99`, ...parts));
  }
  const judged = [
    judge("command acknowledged, p99 (ms)", percentile(acknowledged, 99), { most: 250 }),
    judge("command acknowledged, max (ms)", Math.max(...acknowledged), { most: 3000 }),
    judge(
      "command answered, p99 (ms)",
      percentile(
        answered.map(({ ms }) => ms),
        99,
      ),
      { most: 3000 },
    ),
    judge("cast sent to seen, p99 (s)", percentile(observed, 99), { most: 3 }),
    judge("cast sent to hidden, p99 (s)", percentile(hides, 99), { most: 3 }),
    judge("cast sent to told, p99 (s)", percentile(posts, 99), { most: 5 }),
    judge("casts not seen", ours.size - observed.length, { most: 0 }),
    judge("casts not hidden", scams.size - hides.length, { most: 0 }),
    judge("commands not answered", commands - answered.length, { most: 0 }),
  ];
  return judged.every(Boolean);
}
