import { once } from "node:events";
import { findLatestTransfer } from "../api/operations/transfers.ts";
import { systemClock, watchClock } from "../clock.ts";
import { secretsOf, type Config } from "../config.ts";
import type { Database } from "../database/database.ts";
import { AppError } from "../errors.ts";
import { requireListenable } from "../listening.ts";
import { hideInLog, type Log } from "../log.ts";
import { sandboxSettings } from "../sandbox/start-sandbox.ts";
import { startBotHalf, type BotRoles, type Chat } from "./bot-half.ts";
import { networkSettings, openEmbeddedNetwork, type EmbeddedNetwork } from "./embedded-network.ts";
import { openLiveNetwork, type LiveNetwork } from "./live-network.ts";
import { checkDatabase, checkWriting, createHealth } from "./health.ts";
import { hasKeys, loadKeys, refuseNewKeys, sandboxSecrets } from "./keys.ts";
import { makeDataDirectory } from "./make-directory.ts";
import { keepTimesPossible } from "./mend-times.ts";
import { openDatabase } from "./open-database.ts";
import { openAll, type OpenedParts } from "./opened-parts.ts";
import type { Parts } from "./parts.ts";
import { seedSandbox } from "./sample-world.ts";
import { openSandbox, type RunningSandbox } from "./sandbox.ts";
import { serveHealth } from "./serve-health.ts";
import { takeOver } from "./take-over.ts";

/** What of Castellan runs in this process. */
export type Role = "start" | "api" | "bot" | "worker";

export interface Running {
  /** What is up and where, for people. */
  addresses: string[];
  close(): Promise<void>;
}

export interface StartOptions {
  /** Called when the process cannot go on and should end, so that a supervisor starts it anew. */
  onFatal: (error: AppError) => void;
  /** Aborted when the process is asked to end while it starts. */
  signal: AbortSignal;
}

/** Starts a role. Whatever is up already is closed again, within seconds, when a later part fails or `signal` says so. */
export function start(role: Role, config: Config, log: Log, options: StartOptions): Promise<Running> {
  return openAll(async (parts) => {
    const asked = once(options.signal, "abort").then(() => options.signal.throwIfAborted());
    const opening = openParts(role, { config, log, parts, ...options });
    // Whoever is asked to end does not wait for it.
    opening.catch(() => {});
    await Promise.race([opening, asked]);
    return { addresses: await opening, close: () => parts.close() };
  });
}

interface Opening extends StartOptions {
  config: Config;
  log: Log;
  parts: OpenedParts;
}

async function openParts(role: Role, opening: Opening): Promise<string[]> {
  const { config, log, onFatal } = opening;
  const { keep } = opening.parts;
  hideInLog(log, secretsOf(config));
  const health = createHealth();
  const serves = servesNetwork(role, config);
  let up = false;
  if (!serves) keep(await serveHealth(config, health, () => up));
  const database = keep(await openDatabase(config, onFatal));
  health.add("The database", checkDatabase(database));
  health.add("Storage:", checkWriting(database), "readiness");
  await takeOver(database);
  const makesKeys = serves && !hasKeys(config.DATA_DIR);
  // The first thing that a registry signs is the name of its bot.
  if (makesKeys && config.NEW_KEYS === "off" && (await findLatestTransfer(database.query))) {
    throw refuseNewKeys(config.DATA_DIR);
  }
  const keys = loadKeys(config.DATA_DIR);
  hideInLog(log, [...Object.values(keys), ...Object.values(sandboxSecrets(keys))]);
  let ready = false;
  const clockWatch = keep(watchClock(systemClock, log));
  const parts: Parts = {
    config,
    log,
    clock: systemClock,
    clockWatch,
    keys,
    health,
    isReady: () => ready,
  };
  const far = config.NETWORK === "live" && role !== "api" ? await openLiveNetwork(parts) : undefined;
  await keepTimesPossible({ ...parts, database, networkClock: far?.clock });
  const embedded =
    config.NETWORK === "live" ? undefined : await openEmbeddedNetwork(parts, database, { serves, onFatal });
  if (embedded) keep(embedded);
  ready = true;
  const addresses = embedded?.bound ? [`network ${embedded.bound}`] : [];
  if (role === "api") return addresses;
  const sandbox = await openOwnSandbox(role, parts, embedded);
  if (sandbox) addresses.push(`sandbox ${keep(sandbox).address}`);
  const bot = keep(await openBot(role, parts, { database, embedded, far, sandbox }, opening));
  if (sandbox && config.NETWORK === "sample" && !config.NETWORK_FILE) await seedSandbox(bot.context);
  up = true;
  return addresses;
}

/** Throws `invalid_configuration` where the role cannot start: before a database is made, which would stay behind. */
export async function requireStartable(role: Role, config: Config): Promise<void> {
  requireSharedDatabase(role, config);
  await requireListenable({ host: config.HOST, port: config.PORT, ...networkSettings });
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

async function openOwnSandbox(
  role: Role,
  parts: Parts,
  embedded: EmbeddedNetwork | undefined,
): Promise<RunningSandbox | undefined> {
  if (!hasSandbox(role, parts.config) || !embedded?.origin) return undefined;
  return openSandbox(parts, embedded.origin);
}

/** What the bot half stands on. */
interface Surroundings {
  database: Database;
  embedded: EmbeddedNetwork | undefined;
  far: LiveNetwork | undefined;
  sandbox: RunningSandbox | undefined;
}

function openBot(
  role: Role,
  parts: Parts,
  { database, embedded, far, sandbox }: Surroundings,
  { onFatal: onRefused, signal }: StartOptions,
) {
  const { config } = parts;
  const network = far?.network ?? embedded?.api.network(config.BOT_FID);
  if (!network) throw new Error("there is neither a network of our own nor a live one");
  const chat: Chat = sandbox
    ? { token: sandbox.token, api: sandbox.discord.api, onRefused, signal }
    : { token: config.DISCORD_TOKEN ?? "", api: config.DISCORD_API, onRefused, signal };
  const roles: BotRoles = { gateway: role !== "worker", workers: role !== "bot" };
  return startBotHalf({ ...parts, networkClock: far?.clock }, database, network, chat, roles);
}
