import { privateKeyToAddress } from "viem/accounts";
import { findLatestTransfer } from "../api/operations/transfers.ts";
import { systemClock, watchClock, type Clock, type ClockWatch } from "../clock.ts";
import type { Config } from "../config.ts";
import type { Database } from "../database/database.ts";
import { followServerClock } from "../database/server-clock.ts";
import { hideInLog } from "../log.ts";
import { readInstallation } from "../metrics/read-installation.ts";
import { offerBackup } from "./backup-archive.ts";
import { startBotHalf, type BotHalfOptions } from "./bot-half.ts";
import { openConsole } from "./console.ts";
import { hasConsole } from "./console-place.ts";
import { createDiscordReader } from "./doctor/discord-rest.ts";
import { openEmbeddedNetwork, type EmbeddedNetwork } from "./embedded-network.ts";
import { examineSoon, offerExamination } from "./examine-running.ts";
import { givenKeys, hasAllKeys, loadKeys, refuseNewKeys, sandboxSecrets, type Keys } from "./keys.ts";
import { openLiveNetwork, type LiveNetwork } from "./live-network.ts";
import { offerBanLists } from "./offer-ban-lists.ts";
import { offerConfig } from "./offer-config.ts";
import { offerExports } from "./offer-exports.ts";
import { offerRuleFiles } from "./offer-rule-files.ts";
import { keepTimesPossible } from "./clamp-future-timestamps.ts";
import type { Resources } from "./resources.ts";
import { hasSandbox, servesNetwork, type Role } from "./role.ts";
import { isSeeded, seedSandbox } from "./sample-world.ts";
import { hasSampleNetwork, openSandbox } from "./sandbox.ts";
import type { StartContext } from "./start-context.ts";
import { takeOver } from "./take-over.ts";

/** Opens a role's parts on its database, in order of their dependencies, and returns the addresses they listen on. */
export async function openParts(
  role: Role,
  given: Pick<StartContext, "config" | "log" | "onFatal" | "signal" | "health" | "database" | "metrics">,
  resources: Resources,
): Promise<string[]> {
  const { config, log, database } = given;
  const serves = servesNetwork(role, config);
  // Leftovers of a crash are cleaned up while parts that do not use the database yet are created.
  const takenOver = takeOver(database);
  takenOver.catch(() => {});
  const keys = await openKeys(config, database);
  hideInLog(log, [...Object.values(keys), ...Object.values(sandboxSecrets(keys))]);
  const clockWatch = resources.use(watchClock(systemClock, log));
  let isReady = false;
  const context: StartContext = {
    ...given,
    clock: await openClock(database, clockWatch, resources),
    clockWatch,
    keys,
    messageSigners: new Map(),
    isReady: () => isReady,
  };

  Object.assign(context.health, {
    backUp: offerBackup(database, config.DATA_DIR, log),
    signer: privateKeyToAddress(keys.registryKey),
    operatorToken: config.OPERATOR_TOKEN ?? keys.operatorToken,
  });
  const isLive = config.NETWORK === "live";
  if (isLive) await takenOver;
  const live = isLive && role !== "api" ? await openLiveNetwork(context) : undefined;
  const reading = {
    ...context,
    clock: live?.clock ?? context.clock,
    settings: { hubShard: config.HUB_SHARD },
  };
  context.metrics?.addCollector("installation", () => readInstallation(reading));
  const putRight = takenOver.then(() => keepTimesPossible({ ...context, networkClock: live?.clock }));
  putRight.catch(() => {});
  const own = isLive ? undefined : await openEmbeddedNetwork(context, resources, { serves, after: putRight });
  await putRight;
  isReady = true;
  const { BOT_FID: botFid } = config;
  if (own) offerExamination(context, { database, network: own.api.network(botFid), botFid });
  const [people] = await Promise.all([
    role === "api" ? [] : openBot(role, context, { own, live }, resources),
    own?.runWorkers(),
  ]);
  return own?.bound ? [`network ${own.bound}`, ...people] : people;
}

/** Other processes may use a server's database, so all of them use its clock. */
async function openClock(database: Database, clockWatch: ClockWatch, resources: Resources): Promise<Clock> {
  if (database.engine === "embedded") return systemClock;
  const clock = resources.use(await followServerClock(database, systemClock));
  // The clock of a machine that was suspended has stopped meanwhile.
  clockWatch.onJump(() => void clock.look().catch(() => {}));
  return clock;
}

/** Opens the bot half on the network, with Discord or the sandbox. Returns the addresses for people. */
async function openBot(
  role: Role,
  context: StartContext,
  { own, live }: { own: EmbeddedNetwork | undefined; live: LiveNetwork | undefined },
  resources: Resources,
): Promise<string[]> {
  const { config } = context;
  const network = live?.network ?? own?.api.network(config.BOT_FID);
  if (!network) throw new Error("there is neither an embedded network nor a live one");
  const opening =
    own?.origin && hasSandbox(role, config)
      ? openSandbox(context, own.origin).then((opened) => resources.use(opened))
      : undefined;
  const options: BotHalfOptions = {
    ...context,
    network,
    networkClock: live?.clock,
    live: live?.reading,
    // Other processes on a server's database may write to the network.
    networkWrites: context.database.engine === "embedded" ? own?.api.writes : undefined,
    discord: opening
      ? opening.then(({ token, discord }) => ({ token, api: discord.api }))
      : { token: config.DISCORD_TOKEN ?? "", api: config.DISCORD_API },
    gateway: role !== "worker",
    workers: role !== "bot",
  };
  const [bot, sandbox, seeded] = await Promise.all([
    startBotHalf(options, resources),
    opening,
    // Before workers keep the database busy.
    opening && hasSampleNetwork(config) ? isSeeded(context.database) : true,
  ]);
  offerExamination(context, bot);
  offerRuleFiles(context.health, bot);
  offerExports(context.health, bot);
  const openReader = async () => createDiscordReader({ ...bot, ...(await options.discord) });
  offerConfig(context.health, bot, openReader);
  offerBanLists(context.health, bot);
  // The sandbox has no configuration that could be wrong.
  if (live || config.DISCORD_TOKEN) resources.use(examineSoon(context, bot));
  const { members } = bot;
  const openDesk = async () =>
    members && hasConsole(role, config)
      ? resources.use(await openConsole(context, bot, members, sandbox))
      : undefined;
  const [desk] = await Promise.all([openDesk(), seeded || seedSandbox(bot)]);
  return [...(sandbox ? [`sandbox ${sandbox.address}`] : []), ...(desk ? [`console ${desk.address}`] : [])];
}

/**
 * The keys from the settings and the data directory. A registry first signs its bot's name. From then on the keys are
 * in use, and no process makes others, regardless of its role.
 */
async function openKeys(config: Config, database: Database): Promise<Keys> {
  const makesKeys = !hasAllKeys(config);
  if (makesKeys && config.NEW_KEYS === "off" && (await findLatestTransfer(database.query))) {
    throw refuseNewKeys(config.DATA_DIR);
  }
  return loadKeys(config.DATA_DIR, givenKeys(config));
}
