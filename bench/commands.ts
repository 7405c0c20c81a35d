import { fork } from "node:child_process";
import { once } from "node:events";
import { extname, join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { createApi } from "../src/api/create-api.ts";
import { systemClock, watchClock } from "../src/clock.ts";
import { parseConfig } from "../src/config.ts";
import { silentLog } from "../src/log.ts";
import { beginBulk } from "../src/moderation/bulks/begin.ts";
import { readBulk } from "../src/moderation/bulks/bulk.ts";
import { rehearse } from "../src/rules/rehearse/rehearse.ts";
import { createHealth } from "../src/start/health.ts";
import { startBotHalf, type BotHalfOptions } from "../src/start/bot-half.ts";
import { openAll } from "../src/start/resources.ts";
import { testToken } from "../test/support/discord.ts";
import { createSeed } from "../test/support/seed.ts";
import { operatorToken, serveNetwork } from "../test/support/served-network.ts";
import { linkGuild } from "../test/support/world.ts";
import { createBenchContext } from "./bench-context.ts";
import { openBenchDatabase } from "./bench-database.ts";
import type { DiscordNews, TypeOrder } from "./discord-process.ts";
import { judge, percentile, write } from "./figures.ts";
import { storePastCasts } from "./past-casts.ts";

/**
 * Fifty commands a second, measured from the interaction to its acknowledgement, which Discord awaits for three
 * seconds: idle, while 50,000 records are imported over HTTP, while 500 casts are hidden as one bulk, and while 200
 * patterns are tested on 45,000 casts. Network, bot and workers run in this process, like with `npm start`; Discord and
 * the sender of the file are separate processes.
 */
const perSecond = 50;
const idleSeconds = 10;
/** A longer run would measure the local Discord, which never forgets messages. */
const rehearsalSeconds = 30;
const records = 50_000;
const [patterns, casts] = [200, 45_000];
const bulkTargets = 500;
/** Milliseconds: when idle, and during other work. */
const goals = { idle: 150, busy: 500 };
const botFid = 9001;

const processArguments = { execArgv: process.execArgv };
const beside = (name: string) => join(import.meta.dirname, `${name}${extname(import.meta.url)}`);
const discord = fork(beside("discord-process"), [], processArguments);

async function hear<K extends DiscordNews["kind"]>(kind: K): Promise<Extract<DiscordNews, { kind: K }>> {
  for (;;) {
    // Only the Discord process sends messages here.
    const [news] = (await once(discord, "message")) as [DiscordNews];
    if (news.kind === kind) return news as Extract<DiscordNews, { kind: K }>;
  }
}

/** Types during `work`; true if all acknowledgements were in time and fast enough. */
async function measure(name: string, work: () => Promise<unknown>, goal = goals.busy): Promise<boolean> {
  const typed = hear("typed");
  discord.send({ perSecond, seconds: 600 } satisfies TypeOrder);
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  const started = performance.now();
  await work();
  delay.disable();
  const took = (performance.now() - started) / 1000;
  discord.send("stop");
  const { waits, late } = await typed;
  const figures = [50, 95, 99].map((share) => `p${share} ${percentile(waits, share).toFixed(0)}`).join(", ");
  write(
    `${name} (${took.toFixed(1)} s): ${waits.length + late} commands, ${late} late, ${figures}, max ${Math.max(0, ...waits).toFixed(0)} ms; event loop p99 ${(delay.percentile(99) / 1e6).toFixed(0)}, longest stop ${(delay.max / 1e6).toFixed(0)} ms`,
  );
  const quick = judge(`  ${name}, p99 (ms)`, percentile(waits, 99), { most: goal });
  return judge(`  ${name}, late`, late, { most: 0 }) && quick;
}

const { api: chatApi, guildId } = await hear("ready");
const database = await openBenchDatabase();
const context = createBenchContext(database);
const api = createApi(context);
const { url, server } = await serveNetwork({ context, api });
await storePastCasts(database, casts, "memes");
const config = parseConfig({ BOT_FID: String(botFid) });
const clockWatch = watchClock(systemClock, silentLog);
const options: BotHalfOptions = {
  config,
  clock: systemClock,
  clockWatch,
  log: silentLog,
  database,
  health: createHealth(),
  network: api.network(botFid),
  discord: { token: testToken, api: chatApi },
  gateway: true,
  workers: true,
  onFatal: () => {},
};
const bot = await openAll(async (resources) => ({
  context: await startBotHalf(options, resources),
  close: resources.close,
}));
await sleep(2000);

/** Rules with different patterns, as a careful person would write them. */
function makeRules(): string {
  const rules = Array.from({ length: patterns }, (_, index) => ({
    id: `rule-${index}`,
    on: ["cast.created"],
    when: { text: { matches: `(?i)(claim|win|free).{0,20}(airdrop|prize|drop) ?${index}` } },
    then: [{ hide: {} }],
  }));
  return JSON.stringify({ version: 1, rules });
}

async function importRecords(): Promise<void> {
  const client = fork(beside("post-network-file"), [url, operatorToken, String(records)], processArguments);
  await once(client, "exit");
}

/** Hides casts of one author in a channel that the bot moderates, until the bulk ends. */
async function hideInBulk(): Promise<void> {
  const seed = createSeed(database.query);
  const [owner, author, channelId] = [1, 2, "garden"];
  for (const fid of [owner, author, botFid]) await seed.account(fid);
  await seed.bot(botFid);
  await seed.channel(channelId, { owner, moderators: [botFid] });
  await linkGuild(bot.context, channelId, guildId);
  const hashes: string[] = [];
  for (let index = 0; index < bulkTargets; index++) {
    const { hash } = await api.operator.cast({ fid: author, channelId, text: `Lure ${index}` });
    hashes.push(hash);
  }
  const asked = { guildId, channelId, kind: "hide" as const, selection: "casts", by: { userId: "100" } };
  const hides = hashes.map((targetCast) => ({ kind: "hide" as const, targetCast }));
  const { id } = await database.transaction((tx) => beginBulk(bot.context, tx, asked, hides));
  await bot.context.wake("run-bulks", String(id));
  while ((await readBulk(database.query, id)).endedAtMs === null) await sleep(100);
  const { result } = await bot.context.network.moderatedCasts.list({ channelId, limit: 1000 });
  const hidden = result.moderationActions.length;
  if (hidden !== bulkTargets) throw new Error(`${hidden} of ${bulkTargets} casts are hidden`);
}

async function tryRules(): Promise<void> {
  const since = Math.floor(Date.now() / 1000) - 7 * 86_400;
  const plan = { queue: "bench", guildId, channelIds: ["memes"], since, before: undefined };
  const { events } = await rehearse(bot.context, {
    ...plan,
    after: await bot.context.ruleThreads.read("bench", makeRules()),
    timeoutMs: rehearsalSeconds * 1000,
  });
  write(`${patterns} patterns were tried on ${events} casts`);
}

try {
  const met = [
    await measure("idle", () => sleep(idleSeconds * 1000), goals.idle),
    await measure("import", importRecords),
    await measure("bulk", hideInBulk),
    await measure("rehearsal", tryRules),
  ];
  process.exitCode = met.every(Boolean) ? 0 : 1;
} finally {
  await bot.close();
  await clockWatch.close();
  await server.close();
  await database.close();
  discord.send("end");
}
