import { en } from "../src/languages/en.ts";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { createApi } from "../src/api/create-api.ts";
import { systemClock } from "../src/clock.ts";
import { silentLog } from "../src/log.ts";
import { giveCapabilities } from "../src/moderation/capabilities.ts";
import { createAppendEvents } from "../src/observe/events.ts";
import type { Occurrence } from "../src/rules/evaluate/occurrence.ts";
import { createDrawer } from "../src/drawing/drawer.ts";
import { createRuleThreads } from "../src/rules/threads/rule-threads.ts";
import { considerEvents } from "../src/rules/threads/consider-events.ts";
import { frozenFacts } from "../src/rules/rehearse/frozen-facts.ts";
import { readText } from "../src/rules/text/rule-text.ts";
import { saveRules } from "../src/rules/versions/rules-of-server.ts";
import { ruleOption } from "../commands/rule/rule-arguments.ts";
import { silentRooms, usualSurroundings } from "../test/support/world.ts";
import { createBenchContext } from "./bench-context.ts";
import { openBenchDatabase } from "./bench-database.ts";
import { judge, write } from "./figures.ts";

/**
 * The effect of one person's files and patterns within all limits: the longest time that the process's event loop
 * blocks, when nobody else gets a response.
 */
const goal = 100;
/** Milliseconds between samples of the event loop. */
const resolution = 5;
const guildId = "900";
const botFid = 9001;

const database = await openBenchDatabase();
const ruleThreads = createRuleThreads();
const context = {
  database,
  clock: systemClock,
  log: silentLog,
  network: createApi(createBenchContext(database)).network(botFid),
  botFid,
  ruleThreads,
};

/** True if the event loop never blocked longer than the goal. */
async function measure(name: string, work: () => Promise<unknown>): Promise<boolean> {
  const delay = monitorEventLoopDelay({ resolution });
  const started = performance.now();
  delay.enable();
  await work();
  delay.disable();
  write(`${name}: ${((performance.now() - started) / 1000).toFixed(2)} s`);
  return judge("  longest stop (ms)", delay.max / 1e6 - resolution, { most: goal });
}

const keys = Array.from({ length: 13_000 }, (_, index) => `k${index}`);
const files: [name: string, source: string][] = [
  ["file, keys in a block", keys.map((key) => `${key}: 1`).join("\n")],
  ["file, keys in braces", `{${keys.map((key) => `${key}: 1`).join(",")}}`],
  ["file, keys asked for", keys.map((key) => `? ${key}`).join("\n")],
];

/** Within all limits: patterns whose automaton grows with every character. */
const dear = JSON.stringify({
  version: 1,
  rules: Array.from({ length: 140 }, (_, index) => ({
    id: `dear-${index}`,
    mode: "shadow",
    on: ["cast.created"],
    when: { text: { matches: "(?i)(?:[aа]*[aа][abа]{60}){2}c" } },
    then: [{ hide: {} }],
  })),
});

/** Five hundred rules, in a file of the maximum size. */
const many = JSON.stringify({
  version: 1,
  rules: Array.from({ length: 500 }, (_, index) => ({
    id: `rule-${index}`,
    on: ["cast.created"],
    when: {
      any: [{ text: { contains: `offer ${index} ${"x".repeat(60)}` } }, { "text.length": { gt: 500 } }],
    },
    then: [{ hide: {} }, { note: { text: "seen" } }],
  })),
});

function castOf(characters: number, seed: number): Occurrence {
  let state = seed;
  const letters = Array.from({ length: characters }, () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return "abа"[(state >> 16) % 3];
  });
  const text = letters.join("");
  const castHash = `0x${"a".repeat(40)}`;
  return {
    guildId,
    channelId: "memes",
    authorFid: 7,
    causedByRule: null,
    name: null,
    text: readText(text),
    cast: { hash: castHash, embeds: [], threadDepth: 0, mentions: 0 },
    event: {
      sourceKey: "bench",
      id: 1,
      kind: "cast.created",
      channelId: "memes",
      subjectFid: 7,
      occurredAt: 1_700_000_000,
      observedAt: 1_700_000_000_000,
      depth: 0,
      caseId: null,
      data: { castHash, text, rootHash: castHash, threadDepth: 0, mentions: [], embeds: [] },
    },
  };
}

try {
  const met: boolean[] = [];
  await ruleThreads.read("warm", JSON.stringify({ version: 1, rules: [] }));
  for (const [name, source] of files) {
    met.push(await measure(name, () => ruleThreads.read("bench", source).catch(() => {})));
  }
  const ruleSet = await ruleThreads.read("bench", dear);
  for (const characters of [320, 2000, 10_000]) {
    const tooSlow = new Set<string>();
    const occurrences = [1, 2, 3, 4].map((seed) => castOf(characters, seed));
    met.push(
      await measure(`140 patterns, four casts of ${characters} characters`, () =>
        considerEvents(
          { ...frozenFacts(context), ruleThreads, botFid },
          {
            queue: "bench",
            ruleSets: [ruleSet],
            occurrences,
            tooSlow: [tooSlow],
          },
        ),
      ),
    );
    write(`  ${tooSlow.size} rules took too long and would be turned off`);
  }
  const rules = await ruleThreads.read("bench", many);
  const save = { guildId, ruleSet: rules, change: "import", savedBy: "1", savedAt: 0, baseVersion: 0 };
  await database.transaction((tx) => saveRules(tx, save));
  const [roleId, channelId] = ["6", "memes"];
  await database.transaction((tx) =>
    giveCapabilities(tx, { guildId, channelId, roleId, capabilities: ["rules"] }),
  );
  await database.query
    .insertInto("castellan.links")
    .values({
      guild_id: guildId,
      channel_id: channelId,
      channel_url: "https://castle.test/memes",
      channel_name: "Memes",
      linked_by: "5",
      linked_at_ms: 0,
      verified_at_ms: 0,
      suspended_at_ms: null,
      suspended_reason: null,
      bot_role_lost_at_ms: null,
    })
    .execute();
  const actor = { userId: "5", guildId, roomId: "1", roleIds: [roleId], managesServer: true };
  const settings = {
    channelGuilds: () => new Map(),
    linkBase: "https://castle.test",
    hubShard: undefined,
    hubSeconds: 1,
    hubCallsForPast: 20,
    hubRetention: 0,
    linkLists: { named: [], everySeconds: 3600 },
    webhookHosts: [],
    history: { seconds: 0, events: 0 },
  };
  const wake = async () => {};
  const scope = {
    ...context,
    settings,
    actor,
    wake,
    ...usualSurroundings,
    rooms: silentRooms,
    appendEvents: createAppendEvents({ claim: async (_tx, events) => events, fanOut: [] }),
    roomAccess: () => ({ actorLacks: [], botLacks: [] }),
    silentMention: () => undefined,
    roomName: () => undefined,
    personName: async () => undefined,
    drawer: createDrawer(),
    texts: en,
    isPrivate: true,
    showProgress: async () => {},
  };
  met.push(
    await measure("40 keystrokes, 500 rules", () =>
      Promise.all(
        Array.from({ length: 40 }, (_, index) =>
          (async () => {
            const found = await ruleOption.suggest?.(`rule-${index}`, scope, {});
            if (!found?.length) throw new Error("nothing was suggested");
          })(),
        ),
      ),
    ),
  );
  process.exitCode = met.every(Boolean) ? 0 : 1;
} finally {
  await ruleThreads.close();
  await database.close();
}
