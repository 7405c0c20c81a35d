import { createApi } from "../../src/api/create-api.ts";
import type { ApiContext } from "../../src/api/context.ts";
import type { PeriodicWorkerName } from "../../src/bot-context.ts";
import { createClient, createOperatorClient } from "../../src/client/create-client.ts";
import { seconds, systemClock, watchClock } from "../../src/clock.ts";
import { parseConfig } from "../../src/config.ts";
import type { Network, Operator } from "../../src/contract/index.ts";
import { createHealth } from "../../src/start/health.ts";
import { startBotHalf, type BotHalfOptions } from "../../src/start/bot-half.ts";
import { openAll } from "../../src/start/resources.ts";
import type { WorkerContext } from "../../workers/index.ts";
import { clockOf, createTestContext } from "./world.ts";
import { createChat, type Chat } from "./bot-in-discord.ts";
import { startTestDiscord, type TestDiscord, testToken } from "./discord.ts";
import { collectLog } from "./log.ts";
import { custodyOf, keyOf, secretOf } from "./signing.ts";
import { castHash } from "./seed.ts";
import { startRelay, type Relay } from "./relay.ts";
import { operatorToken, serveNetwork } from "./served-network.ts";

export const transports = ["in this process", "over HTTP"] as const;
export type Transport = (typeof transports)[number];

export const botFid = 9001;

/** Who lives in the garden, by fid; owner, moderator and stranger are people of the chat too. */
export const fids = {
  owner: 1,
  moderator: 2,
  member: 3,
  follower: 4,
  stranger: 5,
  troll: 7,
  peddler: 8,
} as const;

export const casts = { greeting: castHash(1), insult: castHash(2), offer: castHash(3) } as const;

/**
 * The whole product around one channel: the embedded network served over HTTP, with its own people; the bot with its
 * queues and workers; the local Discord. Only the processes and the page are missing.
 */
export interface Garden extends Chat {
  discord: TestDiscord;
  /** The network over HTTP, as one of its people with their own app key. */
  as(fid: number): Network;
  public: Network;
  operator: Operator;
  /** The bot's way to the network where it goes over HTTP. */
  relay: Relay;
  /** Where the network is served. */
  url: string;
  context(): WorkerContext;
  /** Lets a worker look now. */
  wake(worker: PeriodicWorkerName): Promise<void>;
  /** Moves the clock of network and bot forward, by seconds. */
  advance(seconds: number): void;
  stopBot(): Promise<void>;
  startBot(): Promise<void>;
  /** What was logged as an error. */
  errors(): unknown[];
  stop(): Promise<void>;
}

/** `allowlisted`: whether the network's operator lets the bot become moderator at once; `settings` of the bot's operator. */
export async function openGarden(
  transport: Transport,
  {
    workers = true,
    allowlisted = true,
    settings = {},
  }: { workers?: boolean; allowlisted?: boolean; settings?: Record<string, string> } = {},
): Promise<Garden> {
  let ahead = 0;
  const clock = clockOf(() => systemClock.now() + ahead);
  const { log, lines } = collectLog();
  const context: ApiContext = { ...(await createTestContext()), clock, log };
  const api = createApi(context);
  const { server, url } = await serveNetwork({ context, api });
  const relay = await startRelay(url);
  const reach = (address: string, fid?: number) =>
    createClient({
      clientUrl: address,
      registryUrl: address,
      hubUrl: address,
      clock,
      log,
      ...(fid === undefined ? {} : { signer: { fid, privateKey: secretOf(fid) } }),
    });
  const discord = await startTestDiscord();
  const operator = createOperatorClient({ url, token: operatorToken, clock, log });
  const botAllowlist = allowlisted ? [botFid] : [];
  await operator.importNetwork({ ...(await describeGarden(discord, seconds(clock))), botAllowlist });
  const network = transport === "over HTTP" ? reach(relay.url, botFid) : api.network(botFid);
  const clockWatch = watchClock(clock, log);
  const options: BotHalfOptions = {
    config: parseConfig(settings),
    clock,
    clockWatch,
    log,
    database: context.database,
    health: createHealth(),
    network,
    discord: { token: testToken, api: discord.api },
    gateway: true,
    workers,
    onFatal: (error) => log.error(error),
  };
  const openBot = () =>
    openAll(async (resources) => ({
      context: await startBotHalf(options, resources),
      close: resources.close,
    }));
  let bot = await openBot();
  return {
    ...createChat(discord),
    discord,
    as: (fid) => reach(url, fid),
    public: reach(url),
    operator,
    relay,
    url,
    context: () => bot.context,
    wake: (worker) => bot.context.wake(worker),
    advance: (seconds) => {
      ahead += seconds * 1000;
    },
    stopBot: () => bot.close(),
    async startBot() {
      bot = await openBot();
    },
    errors: () => lines.filter(({ level }) => Number(level) >= 50),
    async stop() {
      await bot.close();
      await clockWatch.close();
      await discord.stop();
      await relay.close();
      await server.close();
      await context.database.close();
    },
  };
}

/** The network file: a channel with its owner, a moderator and a member; nobody is linked, the bot has no role yet. */
async function describeGarden({ context }: TestDiscord, now: number): Promise<Record<string, unknown>> {
  const accounts = Object.entries({ ...fids, castellan: botFid }).map(async ([username, fid]) => ({
    fid,
    username,
    custodyAddress: custodyOf(fid).address,
    appKeys: [await keyOf(fid)],
  }));
  const verified = (["owner", "moderator"] as const).map((name) => {
    const user = [...context.world.users.values()].find(({ username }) => username === name);
    return {
      fid: fids[name],
      platform: "discord",
      platformId: user?.id,
      platformUsername: name,
      verifiedAt: now - 9000,
    };
  });
  const day = now - 24 * 3600;
  return {
    accounts: await Promise.all(accounts),
    channels: [
      {
        id: "garden",
        name: "Garden",
        url: "https://castle.test/~/channel/garden-home",
        description: "What grows at night",
        imageUrl: "https://castle.test/garden.png",
        leadFid: fids.owner,
        moderatorFids: [fids.moderator],
        memberFids: [fids.member],
        publicCasting: true,
        createdAt: day,
      },
    ],
    channelFollows: [{ fid: fids.follower, channelId: "garden", followedAt: day }],
    casts: [
      {
        hash: casts.greeting,
        fid: fids.member,
        text: "Moonflowers opened!",
        channelId: "garden",
        timestamp: day,
      },
      {
        hash: casts.insult,
        fid: fids.troll,
        text: "Nobody cares",
        parentHash: casts.greeting,
        timestamp: day + 60,
      },
      {
        hash: casts.offer,
        fid: fids.peddler,
        text: "Lamps, cheap lamps",
        channelId: "garden",
        timestamp: day + 90,
      },
    ],
    verifications: verified,
  };
}
