import { en } from "../../src/languages/en.ts";
import { defaultSettings, type ApiContext, type NetworkSettings } from "../../src/api/context.ts";
import { createApi, type Api } from "../../src/api/create-api.ts";
import { createRegistrySigner } from "../../src/api/signatures.ts";
import type { BotContext } from "../../src/bot-context.ts";
import type { Actor, ClockStatus } from "../../src/bot-context.ts";
import type { Clock } from "../../src/clock.ts";
import type { Network } from "../../src/contract/index.ts";
import type { CommandContext } from "../../src/discord/command-context.ts";
import type { Rooms } from "../../src/feed/rooms.ts";
import { silentLog } from "../../src/log.ts";
import type { ChannelEvent, NewChannelEvent } from "../../src/observe/events.ts";
import { createDrawer, type Drawer } from "../../src/drawing/drawer.ts";
import { createRuleThreads, type RuleThreads } from "../../src/rules/threads/rule-threads.ts";
import { wireBot, type BotHalf, type BotParts } from "../../src/start/wire-bot.ts";
import { openTestDatabase, type TestDatabase } from "./database.ts";
import { channelUrl, createSeed, type Seed } from "./seed.ts";

export const botFid = 9001;
/** Fids of the test channel's people; the moderator is of the network, not of Discord. */
export const people = { owner: 1, moderator: 2, member: 3, troll: 7 } as const;

/** The bot half as the product wires it, on an embedded network; its clock is a test's own, and no queue runs workers. */
export interface World extends BotHalf {
  net: TestNetwork;
  clock: TestNetwork["context"]["clock"];
  database: TestNetwork["context"]["database"];
  /** Workers that were told to look now, with the key where there was one. */
  woken: string[];
  /** Makes something happen, as if observed. Wakes nobody: `woken` tells of what followed from it. */
  happen: (...events: NewChannelEvent[]) => Promise<ChannelEvent[]>;
}

/** One database for both halves. Close `database` after all, `truncate` it after each. */
export async function createWorld(
  fid = botFid,
  networkSettings: Partial<NetworkSettings> = {},
  filled?: TestDatabase,
): Promise<World> {
  const net = await createTestNetwork(await createTestContext(networkSettings, filled));
  const { database, clock } = net.context;
  const woken: string[] = [];
  const parts: BotParts = {
    database,
    clock,
    ...usualSurroundings,
    log: silentLog,
    network: net.as(fid),
    botFid: fid,
    settings: {
      channelGuilds: () => new Map(),
      linkBase: "https://castle.test",
      hubShard: undefined,
      hubSeconds: 1,
      hubCallsForPast: 20,
      hubRetention: 3 * 86_400,
      linkLists: { named: [], everySeconds: 3600 },
      webhookHosts: [],
      history: { seconds: 30 * 86_400, events: 1_000_000 },
    },
    wake: async (...told: readonly (string | undefined)[]) => void woken.push(told.join(" ")),
    rooms: silentRooms,
    ruleThreads,
    drawer,
  };
  const { appendEvents } = wireBot({ ...parts, wake: async () => {} });
  return {
    ...wireBot(parts),
    database,
    clock,
    net,
    woken,
    happen: (...events) => database.transaction((tx) => appendEvents(tx, events)),
  };
}

/** The same bot with other settings, wired as a start with them does; what the process knows stays. */
export function withSettings(bot: World, settings: Partial<World["settings"]>): World {
  const own = { ...bot, settings: { ...bot.settings, ...settings } };
  return { ...own, appendEvents: wireBot(own).appendEvents };
}

/** A channel with owner, moderator, member and the bot as moderator, linked to a server. */
export async function seedChannel(bot: World, channelId: string, guildId: string): Promise<void> {
  const { owner, moderator, member } = people;
  for (const fid of [owner, moderator, member, people.troll, bot.botFid]) {
    const known = await bot.database.query
      .selectFrom("network.accounts")
      .select("fid")
      .where("fid", "=", fid)
      .executeTakeFirst();
    if (!known) await bot.net.seed.account(fid);
  }
  await bot.net.seed.channel(channelId, { owner, moderators: [moderator, bot.botFid], members: [member] });
  await linkGuild(bot, channelId, guildId);
}

export async function linkGuild(
  { database, clock }: Pick<BotContext, "database" | "clock">,
  channelId: string,
  guildId: string,
  linkedBy = "100",
) {
  const now = clock.now();
  await database.query
    .insertInto("castellan.links")
    .values({
      guild_id: guildId,
      channel_id: channelId,
      channel_url: channelUrl(channelId),
      channel_name: channelId,
      linked_by: linkedBy,
      linked_at_ms: now,
      verified_at_ms: now,
    })
    .execute();
}

/** Proves that a user of the network holds a Discord account. */
export async function verifyDiscord(bot: World, fid: number, userId: string): Promise<void> {
  await bot.database.query
    .insertInto("network.verifications")
    .values({
      fid,
      platform: "discord",
      platform_id: userId,
      platform_username: `user${fid}`,
      verified_at: 1_600_000_000,
    })
    .execute();
}

/** Rooms that take everything and remember nothing. */
export const silentRooms: Rooms = {
  post: async () => "1",
  resetAfter: () => 0,
  openDirect: async () => "1",
  edit: async () => {},
  recent: async () => [],
  find: async () => undefined,
};

export function commandContext(bot: World, actor: Actor): CommandContext {
  const roomAccess = () => ({ actorLacks: [], botLacks: [] });
  return {
    ...bot,
    rooms: silentRooms,
    actor,
    texts: en,
    roomAccess,
    silentMention: () => undefined,
    roomName: (id) => id,
    personName: async (id) => `person ${id}`,
    // Drawing takes long, and says nothing of a command.
    drawer: { ...drawer, draw: async () => new Uint8Array() },
    isPrivate: true,
    showProgress: async () => {},
  };
}

export type Trouble = "before" | "after";

/** A network on which the next calls of one endpoint fail before or after they did what they were asked. */
export function troubleNetwork(
  network: Network,
  group: keyof Network,
  name: string,
  trouble: (call: number) => Error | undefined,
  when: Trouble,
): Network {
  let calls = 0;
  // The wrapper has the same calls as what it wraps; only their outcome differs.
  const endpoints = network[group] as Record<string, (...input: unknown[]) => Promise<unknown>>;
  const troubled = async (...input: unknown[]) => {
    calls += 1;
    const error = trouble(calls);
    if (error && when === "before") throw error;
    const result = await endpoints[name]?.(...input);
    if (error) throw error;
    return result;
  };
  return { ...network, [group]: { ...endpoints, [name]: troubled } };
}

/** An embedded network of the test file's own, with quick ways to fill it. Close its database after all. */
export interface TestNetwork {
  context: TestContext;
  api: Api;
  /** The network as a user sees it. */
  as(fid: number): Network;
  /** The network as the public sees it. */
  public: Network;
  seed: Seed;
}

export async function createTestNetwork(context?: TestContext): Promise<TestNetwork> {
  const own = context ?? (await createTestContext());
  const api = createApi(own);
  return {
    context: own,
    api,
    as: (fid) => api.network(fid),
    public: api.network(),
    seed: createSeed(own.database.query),
  };
}

export interface TestContext extends ApiContext {
  database: TestDatabase;
  clock: TestClock;
}

export const registryKey = `0x${"7".repeat(64)}` as const;

/** An embedded network of the test file's own. Close its database after all. */
export async function createTestContext(
  settings: Partial<NetworkSettings> = {},
  database?: TestDatabase,
): Promise<TestContext> {
  const merged = { ...defaultSettings, ...settings };
  return {
    database: database ?? (await openTestDatabase()),
    clock: createTestClock(),
    log: silentLog,
    settings: merged,
    registry: createRegistrySigner(registryKey, merged.nameDomain),
  };
}

/** One pool for all tests of a process: starting it takes longer than most of them, and it keeps nothing of theirs. */
export const ruleThreads: RuleThreads = createRuleThreads(1);

/** The same for pictures, without end: how many one may have is tried on drawers of a test's own. */
/** On a busy machine the first picture takes more than a person would wait for. */
export const drawer: Drawer = createDrawer({ monotonic: createEndless(), timeoutMs: 300_000 });

function createEndless(): () => number {
  let now = 0;
  return () => (now += 3600_000);
}

// No test pays for the start of the first thread.
await ruleThreads.read("warm", "version: 1\nrules: []");

/** A clock that stands still until it is moved. */
export interface TestClock extends Clock {
  /** Time passes. */
  advance(seconds: number): void;
  /** Somebody sets the clock, forward or back: no time passes. */
  jump(seconds: number): void;
}

/** `start` in UNIX seconds. */
export function createTestClock(start = 1_700_000_000): TestClock {
  let passed = 0;
  let ahead = start * 1000;
  return {
    now: () => ahead + passed,
    monotonic: () => passed,
    advance: (seconds) => {
      passed += Math.round(seconds * 1000);
    },
    jump: (seconds) => {
      ahead += seconds * 1000;
    },
  };
}

/** A clock that nobody sets, showing what `now` says, in UNIX milliseconds. */
export function clockOf(now: () => number): Clock {
  return { now, monotonic: now };
}

/** What a process says whose clock is right and was never set, and to whose network others may write. */
export const usualSurroundings = {
  hubShards: async () => [undefined],
  hasKnownRights: async () => true,
  clockStatus: (): ClockStatus => ({ machineAhead: 0, jump: undefined }),
  networkChanged: () => true,
};
