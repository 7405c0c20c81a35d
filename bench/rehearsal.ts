import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { commands } from "../commands/index.ts";
import { createApi } from "../src/api/create-api.ts";
import type { BotContext } from "../src/bot-context.ts";
import { systemClock } from "../src/clock.ts";
import { connectDiscord } from "../src/discord/connect.ts";
import { createRooms } from "../src/discord/rooms.ts";
import { createDrawer } from "../src/drawing/drawer.ts";
import { silentLog } from "../src/log.ts";
import { createAppendEvents } from "../src/observe/events.ts";
import { parseRules } from "../src/rules/language/parse-rules.ts";
import { createRuleThreads } from "../src/rules/threads/rule-threads.ts";
import { rehearse } from "../src/rules/rehearse/rehearse.ts";
import { startTestDiscord, testToken } from "../test/support/discord.ts";
import { createBenchContext } from "./bench-context.ts";
import { openBenchDatabase } from "./bench-database.ts";
import { judge, percentile, write } from "./figures.ts";
import { makeNetworkFile } from "./network-file.ts";
import { storePastCasts } from "./past-casts.ts";
import { usualSurroundings } from "../test/support/world.ts";

/**
 * A hundred rules over a hundred thousand stored casts, while people type commands: the rehearsal's duration, the
 * longest block of the event loop, and the time from an interaction to its acknowledgement. Everything, including the
 * local Discord, is in this process, like with `npm start`.
 */
const casts = 100_000;
const ruleCount = 100;
const goals = { seconds: 60, acknowledgement: 500 };
const typeEvery = 150;
const channelId = "memes";
const botFid = 9001;

/** Mostly text rules, as moderators write them, and some of each kind that needs the store or the network. */
function makeRules(): string {
  const kinds = [
    (index: number) => ({ text: { contains: `offer ${index}` } }),
    (index: number) => ({ text: { matches: `(?i)claim.{0,20}prize ${index}` } }),
    (index: number) => ({
      all: [{ text: { contains: `code ${index}` } }, { not: { "author.is_member": true } }],
    }),
    (index: number) => ({
      any: [{ text: { matches: `\\bwin ${index}\\b` } }, { "text.length": { gt: 500 + index } }],
    }),
    () => ({ text: { matches: "(?i)free.{0,5}airdrop" } }),
  ];
  const asking = [
    { rate: { of: "cast.created", by: "author", within: "10m", gte: 5 } },
    { duplicate: { of: "text", by: "channel", within: "1d", gte: 3 } },
    { history: { event: "record.hidden", by: "author", within: "7d", gte: 3 } },
    { all: [{ text: { contains: "airdrop" } }, { "author.is_member": false }] },
    { "author.strikes": { gte: 5 } },
  ];
  const rules = Array.from({ length: ruleCount }, (_, index) => ({
    id: `rule-${index}`,
    mode: "enforce",
    on: ["cast.created"],
    when: asking[index] ?? kinds[index % kinds.length]?.(index),
    then: [{ hide: {} }],
  }));
  return JSON.stringify({ version: 1, rules });
}

const database = await openBenchDatabase();
const discord = await startTestDiscord();
const api = createApi(createBenchContext(database));
await api.operator.importNetwork(JSON.parse(makeNetworkFile(400)));
await storePastCasts(database, casts, channelId);
// The planner would have statistics by now, from autovacuum or, on the embedded engine, vacuumTables.
await database.pool.query("analyze");
const context: BotContext = {
  database,
  clock: systemClock,
  ...usualSurroundings,
  log: silentLog,
  network: api.network(botFid),
  botFid,
  settings: {
    channelGuilds: () => new Map(),
    linkBase: "https://castle.test",
    hubShard: undefined,
    hubSeconds: 1,
    hubCallsForPast: 20,
    hubRetention: 259_200,
    linkLists: { named: [], everySeconds: 3600 },
    webhookHosts: [],
    history: { seconds: 2_592_000, events: 1_000_000 },
  },
  wake: async () => {},
  appendEvents: createAppendEvents({ claim: async (_tx, events) => events, fanOut: [] }),
};
const ruleThreads = createRuleThreads();
const chat = { token: testToken, api: discord.api, onRefused: () => {} };
const connection = await connectDiscord(
  { ...context, ruleThreads, drawer: createDrawer(), rooms: createRooms(chat), commands },
  chat,
);

/** Types until stopped; returns the milliseconds until each interaction was acknowledged. */
function typeCommands(): { stop(): Promise<number[]> } {
  const stopping = new AbortController();
  const user =
    [...discord.context.world.users.values()].find(({ username }) => username === "owner")?.id ?? "";
  const typing = async () => {
    const waits: number[] = [];
    while (!stopping.signal.aborted) {
      const start = performance.now();
      const { outcome } = discord.people.slash({
        user,
        room: discord.rooms.general,
        command: "help",
        options: {},
      });
      await outcome;
      waits.push(performance.now() - start);
      await sleep(typeEvery);
    }
    return waits;
  };
  const all = typing();
  return {
    stop() {
      stopping.abort();
      return all;
    },
  };
}

try {
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  const typist = typeCommands();
  const rules = parseRules(makeRules());
  const since = Math.floor(Date.now() / 1000) - 7 * 86_400;
  const plan = {
    queue: "bench",
    guildId: discord.guildId,
    channelIds: [channelId],
    since,
    before: undefined,
    after: rules,
  };
  const beforehand = process.cpuUsage();
  const {
    events,
    tookMs,
    rules: outcomes,
  } = await rehearse({ ...context, ruleThreads }, { ...plan, timeoutMs: 10 * 60_000 });
  const { user, system } = process.cpuUsage(beforehand);
  delay.disable();
  const waits = await typist.stop();
  const hits = outcomes.reduce((sum, { counts }) => sum + counts.newly, 0);
  write(`${ruleCount} rules over ${events} casts: ${hits} hits; ${waits.length} commands meanwhile`);
  write(`${((user + system) / 1e6).toFixed(1)} s of processor time, what people typed included`);
  write(
    `longest event-loop block ${Math.round(delay.max / 1e6)} ms, p99 ${Math.round(delay.percentile(99) / 1e6)} ms`,
  );
  write(
    `acknowledgement p50 ${Math.round(percentile(waits, 50))} ms, max ${Math.round(Math.max(...waits))} ms`,
  );
  const met = [
    judge("rehearsal (s)", tookMs / 1000, { most: goals.seconds }),
    judge("acknowledgement, p99 (ms)", percentile(waits, 99), { most: goals.acknowledgement }),
  ];
  process.exitCode = met.every(Boolean) && events === casts ? 0 : 1;
} finally {
  await connection.close();
  await discord.stop();
  await ruleThreads.close();
  await database.close();
}
