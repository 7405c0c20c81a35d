import { once } from "node:events";
import { existsSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { exponentialBackoff } from "../async.ts";
import { secretsOf, type Config } from "../config.ts";
import { isRefusedForNumber } from "../database/unavailable.ts";
import { AppError } from "../errors.ts";
import { requireListenable, sandboxSettings, type ListeningPlace } from "../listening.ts";
import { hideInLog, type Log } from "../log.ts";
import { readConnections } from "../metrics/collectors.ts";
import { consolePlace, hasConsole } from "./console-place.ts";
import { checkDatabase, checkWriting, createHealth } from "./health.ts";
import { hasAllKeys } from "./keys.ts";
import { makeDataDirectory } from "./make-directory.ts";
import { metricsPlace, networkPlace } from "./network-settings.ts";
import { openDatabase } from "./open-database.ts";
import { openMetrics, openTracing } from "./open-metrics.ts";
import { openAll, type Resources } from "./resources.ts";
import { hasSandbox, servesNetwork, type Role } from "./role.ts";
import { serveHealth } from "./serve-health.ts";
import type { StartContext } from "./start-context.ts";

export interface Running {
  /** The running parts and their addresses, for people. */
  addresses: string[];
  close(): Promise<void>;
}

/** `onFatal` is called when the process cannot continue. `signal` is aborted when it is asked to end while it starts. */
type StartOptions = Pick<StartContext, "onFatal" | "signal"> & { version: string };

/** Milliseconds between attempts to start. */
const waits = { first: 1_000, longest: 15_000 };

/** Starts a role. Tries again while the database server has no free connections, because other processes may release some. */
export async function start(role: Role, config: Config, log: Log, options: StartOptions): Promise<Running> {
  const { signal } = options;
  for (let failures = 1; ; failures += 1) {
    try {
      return await startOnce(role, config, log, options);
    } catch (err) {
      if (!isRefusedForNumber(err)) throw err;
      const waited = exponentialBackoff(failures, waits);
      log.error(
        { err, waited },
        "PostgreSQL refuses more connections; trying again. Raise its max_connections, or lower DATABASE_POOL of the processes on it.",
      );
      await sleep(waited, undefined, { signal });
    }
  }
}

/** If a later part fails or `signal` is aborted, the parts that are up are closed within seconds. */
function startOnce(role: Role, config: Config, log: Log, options: StartOptions): Promise<Running> {
  const { signal } = options;
  return openAll(async (resources) => {
    const aborted = once(signal, "abort").then(() => signal.throwIfAborted());
    const opening = openRole(role, { config, log, ...options }, resources);
    // If the process is asked to end, it does not wait for the start.
    opening.catch(() => {});
    await Promise.race([opening, aborted]);
    return { addresses: await opening, close: resources.close };
  });
}

/** Opens the database, and a role's parts on it. Returns the addresses they listen on. */
async function openRole(
  role: Role,
  { config, log, onFatal, signal, version }: StartOptions & Pick<StartContext, "config" | "log">,
  resources: Resources,
): Promise<string[]> {
  hideInLog(log, secretsOf(config));
  const health = createHealth();
  await openTracing({ role, version }, config, log, resources);
  const served = await openMetrics({ role, version }, { config, log, health }, resources);
  let isUp = false;
  if (servesNetwork(role, config)) {
    health.add("Castellan", () => (isUp ? undefined : "is starting"), "readiness");
  } else resources.use(await serveHealth(config, health, { isReady: () => isUp, log }));

  const opening = openDatabase(config, { onCrash: onFatal, onBusy: (message) => log.warn(message) });
  // Nearly all of the program, loaded while the database opens.
  const [{ openParts }, database] = await Promise.all([
    import("./open-parts.ts"),
    opening.then((opened) => resources.use(opened)),
  ]);
  // A server that is unreachable recovers without our restart.
  const counts = database.engine === "server" ? "readiness" : "always";
  health.add("The database", checkDatabase(database), counts);
  health.add("Storage:", checkWriting(database), "readiness");
  const metrics = served?.metrics;
  metrics?.addCollector("connections", () => readConnections(database));
  const addresses = await openParts(
    role,
    { config, log, onFatal, signal, health, database, metrics },
    resources,
  );
  isUp = true;
  return served ? [...addresses, `metrics ${served.address}`] : addresses;
}

/** Throws `invalid_configuration` if the role cannot start, before a database is created that would be left behind. */
export async function requireStartable(role: Role, config: Config): Promise<void> {
  requireSharedDatabase(role, config);
  const { SANDBOX_HOST, SANDBOX_PORT } = config;
  const metrics = metricsPlace(config);
  const places: ListeningPlace[] = [
    networkPlace(config),
    ...(hasSandbox(role, config) ? [{ host: SANDBOX_HOST, port: SANDBOX_PORT, ...sandboxSettings }] : []),
    ...(hasConsole(role, config) ? [consolePlace(config)] : []),
    ...(metrics ? [metrics] : []),
  ];
  requireDistinctPorts(places);
  for (const place of places) await requireListenable(place);
  const isWritten = config.DATABASE_URL === undefined || hasSandbox(role, config) || !hasAllKeys(config);
  // If all data is on servers, and keys are in the settings or a mounted file, nothing is written there.
  if (isWritten || existsSync(config.DATA_DIR)) makeDataDirectory(config.DATA_DIR, { isWritten });
}

/** Otherwise the second server would find its port in use, as if by another program. */
function requireDistinctPorts(places: readonly ListeningPlace[]): void {
  const settingOf = new Map<number, string>();
  for (const { port, portSetting } of places) {
    const other = settingOf.get(port);
    if (port !== 0 && other !== undefined) {
      const message = `${portSetting} is the same as ${other} (${port}). Set one of them to another port.`;
      throw new AppError("invalid_configuration", message);
    }
    settingOf.set(port, portSetting);
  }
}

/** Processes that share work need a server, because an embedded database belongs to one process. */
function requireSharedDatabase(role: Role, config: Config): void {
  if (role !== "bot" && role !== "worker") return;
  const missing = (["DATABASE_URL", "DISCORD_TOKEN"] as const).filter((name) => !config[name]);
  if (missing.length === 0) return;
  throw new AppError(
    "invalid_configuration",
    `castellan ${role} shares its work with other processes and needs ${missing.join(" and ")}. To run everything in one process, use castellan start.`,
  );
}
