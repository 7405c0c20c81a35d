import { once } from "node:events";
import { findLatestTransfer } from "../api/operations/transfers.ts";
import { systemClock, watchClock } from "../clock.ts";
import { secretsOf, type Config } from "../config.ts";
import type { Database } from "../database/database.ts";
import { AppError } from "../errors.ts";
import { requireListenable } from "../listening.ts";
import { hideInLog, type Log } from "../log.ts";
import { sandboxSettings } from "../sandbox/start-sandbox.ts";
import { startBotHalf, type BotHalfOptions } from "./bot-half.ts";
import { openEmbeddedNetwork, type EmbeddedNetwork } from "./embedded-network.ts";
import { checkDatabase, checkWriting, createHealth } from "./health.ts";
import { serveHealth } from "./serve-health.ts";
import { hasKeys, loadKeys, refuseNewKeys, sandboxSecrets, type Keys } from "./keys.ts";
import { openLiveNetwork, type LiveNetwork } from "./live-network.ts";
import { makeDataDirectory } from "./make-directory.ts";
import { keepTimesPossible } from "./mend-times.ts";
import { networkPlace } from "./network-settings.ts";
import { openDatabase } from "./open-database.ts";
import { openAll, type Resources } from "./resources.ts";
import { seedSandbox } from "./sample-world.ts";
import { hasSampleNetwork, openSandbox } from "./sandbox.ts";
import type { StartContext } from "./start-context.ts";
import { takeOver } from "./take-over.ts";

/** What of Castellan runs in this process. */
export type Role = "start" | "api" | "bot" | "worker";

export interface Running {
  /** What is up and where, for people. */
  addresses: string[];
  close(): Promise<void>;
}

/** `onFatal` is called when the process cannot go on; `signal` is aborted when it is asked to end while it starts. */
export type StartOptions = Pick<StartContext, "onFatal" | "signal">;

/** Starts a role. Whatever is up already is closed again, within seconds, when a later part fails or `signal` says so. */
export function start(role: Role, config: Config, log: Log, options: StartOptions): Promise<Running> {
  const { signal } = options;
  return openAll(async (resources) => {
    const aborted = once(signal, "abort").then(() => signal.throwIfAborted());
    const opening = openRole(role, { config, log, ...options }, resources);
    // Whoever is asked to end does not wait for it.
    opening.catch(() => {});
    await Promise.race([opening, aborted]);
    return { addresses: await opening, close: resources.close };
  });
}

/** Opens the parts of a role one after the other, and gives the addresses where it answers. */
async function openRole(
  role: Role,
  { config, log, onFatal, signal }: StartOptions & Pick<StartContext, "config" | "log">,
  resources: Resources,
): Promise<string[]> {
  hideInLog(log, secretsOf(config));
  const health = createHealth();
  const serves = servesNetwork(role, config);
  let isUp = false;
  if (serves) health.add("Castellan", () => (isUp ? undefined : "is starting"), "readiness");
  else resources.use(await serveHealth(config, health, () => isUp));

  const database = resources.use(await openDatabase(config, onFatal));
  health.add("The database", checkDatabase(database));
  health.add("Storage:", checkWriting(database), "readiness");
  await takeOver(database);
  const keys = await openKeys(config, database, serves);
  hideInLog(log, [...Object.values(keys), ...Object.values(sandboxSecrets(keys))]);
  const clockWatch = resources.use(watchClock(systemClock, log));
  let isReady = false;
  const context: StartContext = {
    config,
    clock: systemClock,
    clockWatch,
    log,
    keys,
    database,
    health,
    isReady: () => isReady,
    onFatal,
    signal,
  };

  const live = config.NETWORK === "live" && role !== "api" ? await openLiveNetwork(context) : undefined;
  await keepTimesPossible({ ...context, networkClock: live?.clock });
  const own = config.NETWORK === "live" ? undefined : await openEmbeddedNetwork(context, resources, serves);
  isReady = true;
  const addresses = own?.bound ? [`network ${own.bound}`] : [];
  if (role !== "api") addresses.push(...(await openBot(role, context, { own, live }, resources)));
  isUp = true;
  return addresses;
}

/** Opens the bot half on the network, with Discord or with the sandbox that stands in for it, whose address it gives. */
async function openBot(
  role: Role,
  context: StartContext,
  { own, live }: { own: EmbeddedNetwork | undefined; live: LiveNetwork | undefined },
  resources: Resources,
): Promise<string[]> {
  const { config } = context;
  const network = live?.network ?? own?.api.network(config.BOT_FID);
  if (!network) throw new Error("there is neither a network of our own nor a live one");
  const sandbox =
    own?.origin && hasSandbox(role, config)
      ? resources.use(await openSandbox(context, own.origin))
      : undefined;
  const options: BotHalfOptions = {
    ...context,
    network,
    networkClock: live?.clock,
    // A server's database may have other processes that write to the network.
    networkWrites: context.database.engine === "embedded" ? own?.api.writes : undefined,
    discord: sandbox
      ? { token: sandbox.token, api: sandbox.discord.api }
      : { token: config.DISCORD_TOKEN ?? "", api: config.DISCORD_API },
    gateway: role !== "worker",
    workers: role !== "bot",
  };
  const bot = await startBotHalf(options, resources);
  if (!sandbox) return [];
  if (hasSampleNetwork(config)) await seedSandbox(bot);
  return [`sandbox ${sandbox.address}`];
}

/** The keys of the data directory. The first thing that a registry signs is the name of its bot: then they are in use. */
async function openKeys(config: Config, database: Database, serves: boolean): Promise<Keys> {
  const makesKeys = serves && !hasKeys(config.DATA_DIR);
  if (makesKeys && config.NEW_KEYS === "off" && (await findLatestTransfer(database.query))) {
    throw refuseNewKeys(config.DATA_DIR);
  }
  return loadKeys(config.DATA_DIR);
}

/** Throws `invalid_configuration` where the role cannot start: before a database is made, which would stay behind. */
export async function requireStartable(role: Role, config: Config): Promise<void> {
  requireSharedDatabase(role, config);
  await requireListenable(networkPlace(config));
  if (hasSandbox(role, config)) {
    await requireListenable({ host: config.SANDBOX_HOST, port: config.SANDBOX_PORT, ...sandboxSettings });
  }
  makeDataDirectory(config.DATA_DIR);
}

/** Processes that share the work share a server; one embedded database belongs to one process. */
function requireSharedDatabase(role: Role, config: Config): void {
  if (role !== "bot" && role !== "worker") return;
  const missing = (["DATABASE_URL", "DISCORD_TOKEN"] as const).filter((name) => !config[name]);
  if (missing.length === 0) return;
  throw new AppError(
    "invalid_configuration",
    `castellan ${role} shares its work with other processes and needs ${missing.join(" and ")}. For everything in one process: castellan start.`,
  );
}

function servesNetwork(role: Role, { NETWORK }: Config): boolean {
  return NETWORK !== "live" && (role === "start" || role === "api");
}

/** Whether this process has a sandbox for Discord. */
function hasSandbox(role: Role, config: Config): boolean {
  return role === "start" && servesNetwork(role, config) && !config.DISCORD_TOKEN;
}
