/**
 * `MAX_CONNECTIONS=100 .ci/services.sh npm run soak:fleet -- --minutes 30`: one api, two bots and three workers at rest on one
 * PostgreSQL, first with their queues in it, then in Redis. Every health check must be ok, and no process may end.
 */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { randomBytes } from "node:crypto";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { Client } from "pg";
import { startCastellan, type CastellanProcess } from "../support/program.ts";
import { findPort, requireServers } from "../support/services.ts";
import { secretOf } from "../support/signing.ts";
import { botFid, makeTown } from "./town.ts";

const { values } = parseArgs({
  options: { minutes: { type: "string", default: "30" }, queues: { type: "string", default: "both" } },
});
const { server, redis } = requireServers();
const roles = ["api", "bot", "bot", "worker", "worker", "worker"];
const checkEveryMs = 5_000;
const write = (line: string) => void process.stdout.write(`${line}\n`);

interface Member {
  name: string;
  role: string;
  stop: CastellanProcess["stop"];
  origin: string;
  restarts: number;
  checks: number;
  refused: string[];
}

async function rest(title: string, queues: Record<string, string>): Promise<string[]> {
  const directory = await mkdtemp(join(tmpdir(), "castellan-fleet-"));
  const database = `fleet_${randomBytes(4).toString("hex")}`;
  const admin = new Client({ connectionString: server });
  await admin.connect();
  await admin.query(`create database ${database}`);
  const file = join(directory, "town.json");
  await writeFile(file, JSON.stringify(await makeTown(Math.floor(Date.now() / 1000))));
  await mkdir(join(directory, "data"));
  const discordToken = "the.bot.of.a.fleet.at.the.local.Discord";
  const free = { PORT: "0", SANDBOX_PORT: "0", CONSOLE_PORT: "0", LOG_LEVEL: "warn" };
  const discord = startCastellan("sandbox", {
    ...free,
    DISCORD_TOKEN: discordToken,
    DATA_DIR: join(directory, "discord"),
  });
  const { sandbox = "" } = await discord.ready;
  const shared = {
    ...free,
    ...queues,
    DATABASE_URL: server.replace(/\/[^/]*$/, `/${database}`),
    DATA_DIR: join(directory, "data"),
    NETWORK: "empty",
    NETWORK_FILE: file,
    OPERATOR_TOKEN: randomBytes(32).toString("hex"),
    BOT_FID: String(botFid),
    BOT_APP_KEY: secretOf(botFid).toString("hex"),
    DISCORD_TOKEN: discordToken,
    DISCORD_API: `${sandbox}/api`,
  };
  let isOver = false;
  let network = "";
  const members: Member[] = [];
  const start = async (member: Member): Promise<void> => {
    const places = network ? { CLIENT_API_URL: network, REGISTRY_URL: network, HUB_URL: network } : {};
    const port = await findPort();
    const running = startCastellan(member.role, { ...shared, ...places, PORT: String(port) });
    member.stop = () => running.stop();
    member.origin = `http://127.0.0.1:${port}`;
    void running.exited.then(async () => {
      if (isOver) return;
      write(`  ${member.name} ended:\n${running.output().split("\n").slice(-5).join("\n")}`);
      member.restarts += 1;
      await sleep(1_000);
      await start(member);
    });
    await running.ready.catch(() => {});
  };
  for (const [index, role] of roles.entries()) {
    const stop = () => Promise.resolve(null);
    const member = { name: `${role} ${index}`, role, stop, origin: "", restarts: 0, checks: 0, refused: [] };
    members.push(member);
    await start(member);
    if (role === "api") network = member.origin;
  }
  let connections = 0;
  const end = performance.now() + Number(values.minutes) * 60_000;
  while (performance.now() < end) {
    await sleep(checkEveryMs);
    const { rows } = await admin.query<{ n: number }>(
      "select count(*)::int as n from pg_stat_activity where datname = $1",
      [database],
    );
    connections = Math.max(connections, rows[0]?.n ?? 0);
    for (const member of members) {
      for (const path of ["/healthcheck", "/readycheck"]) {
        member.checks += 1;
        const answer = await fetch(member.origin + path, { signal: AbortSignal.timeout(10_000) }).then(
          async (response) => (response.ok ? undefined : `${response.status} ${await response.text()}`),
          (error: unknown) => String(error),
        );
        if (answer !== undefined) member.refused.push(`${path}: ${answer}`);
      }
    }
  }
  isOver = true;
  const faults: string[] = [];
  write(`${title}: ${values.minutes} minutes, at most ${connections} connections to PostgreSQL`);
  for (const { name, restarts, checks, refused } of members) {
    write(`  ${name}: ${checks} checks, ${refused.length} not ok, ${restarts} restarts`);
    if (restarts > 0) faults.push(`${name} ended ${restarts} times`);
    faults.push(...refused.slice(0, 5).map((answer) => `${name} ${answer}`));
  }
  await Promise.all([...members.map(({ stop }) => stop()), discord.stop()]);
  await admin.query(`drop database ${database} with (force)`);
  await admin.end();
  await rm(directory, { recursive: true, force: true });
  return faults;
}

const faults: string[] = [];
if (values.queues !== "redis") faults.push(...(await rest("queues in PostgreSQL", {})));
if (values.queues !== "postgres") faults.push(...(await rest("queues in Redis", { REDIS_URL: redis })));
for (const fault of faults) write(`  ${fault}`);
write(`\n${faults.length === 0 ? 1 : 0} passed, ${faults.length === 0 ? 0 : 1} failed`);
process.exit(faults.length === 0 ? 0 : 1);
