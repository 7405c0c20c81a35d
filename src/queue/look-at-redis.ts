import type { Redis } from "ioredis";
import { withTimeout } from "../async.ts";
import { AppError, asAppError, explainCertificateError } from "../errors.ts";
import { explainQueueError } from "./queue-errors.ts";
import {
  connectRedis,
  keyPrefixOf,
  findMasters,
  type RedisClient,
  type RedisSettings,
} from "./redis-client.ts";

/** The version and settings that a server reports; undefined if we are not allowed to read them. */
interface RedisFacts {
  version: string | undefined;
  policy: string | undefined;
  mode: string | undefined;
}

/** The oldest version that BullMQ supports, and the oldest one tested. */
const oldest = [5, 0] as const;
const tried = [6, 2] as const;

/** Milliseconds to wait for a Redis when a process starts, and for one of its servers to find out why it fails. */
const startTimeoutMs = 8_000;
const serverTimeoutMs = 1_000;
/** Options of a connection that is tried only once. */
const once = {
  lazyConnect: true,
  maxRetriesPerRequest: 0,
  retryStrategy: () => null,
  enableReadyCheck: false,
};

/** Waits for a Redis. Throws `invalid_configuration` if it rejects us, `database_unavailable` if it is unreachable. */
export async function waitForRedis(settings: RedisSettings): Promise<RedisFacts[]> {
  const redis = connectRedis(settings, {
    maxRetriesPerRequest: null,
    retryStrategy: () => 250,
    enableReadyCheck: false,
  });
  let lost: unknown;
  const untrusted = new Promise<never>((_, reject) => {
    redis.on("error", (error) => {
      lost = error;
      if (explainCertificateError(error) !== undefined) reject(error);
    });
  });
  const silent = async () => {
    const why = await explainLoss(settings, lost);
    const reason = why === undefined ? "" : ` (${why})`;
    throw new AppError(
      "database_unavailable",
      `The queue does not respond${reason}. Check REDIS_URL, and that its server is running.`,
    );
  };
  try {
    const facts = await withTimeout(Promise.race([readFacts(redis), untrusted]), startTimeoutMs, silent);
    facts.forEach(requireVersion);
    if (settings.REDIS_CLUSTER === undefined && facts.some(({ mode }) => mode === "cluster")) {
      throw new AppError(
        "invalid_configuration",
        "Redis is a cluster: set REDIS_CLUSTER to its other nodes, too.",
      );
    }
    return facts;
  } catch (cause) {
    const words = asAppError(cause) ? undefined : explainQueueError(cause);
    if (words === undefined) throw cause;
    throw new AppError("invalid_configuration", `${capitalize(words)}.`, { cause });
  } finally {
    redis.disconnect();
  }
}

/** Facts of all servers that have keys. */
async function readFacts(client: RedisClient): Promise<RedisFacts[]> {
  return Promise.all((await findMasters(client)).map(readServerFacts));
}

async function readServerFacts(connection: Redis): Promise<RedisFacts> {
  const { db = 0 } = connection.options;
  // The client selects it, too, but continues in database 0 if that fails.
  if (db !== 0) await connection.select(db);
  const info = await connection.info().catch((error: unknown) => {
    if (error instanceof Error && error.message.startsWith("NOPERM")) return "";
    throw error;
  });
  const read = (name: string) => new RegExp(`^${name}:(.*?)\r?$`, "m").exec(info)?.[1];
  return {
    version: read("valkey_version") ?? read("redis_version"),
    policy: read("maxmemory_policy"),
    mode: read("redis_mode"),
  };
}

/**
 * Why a connection was lost, in words. Of a Sentinel or a cluster's node the client may report only that the connection
 * is closed, so each is tried on its own.
 */
async function explainLoss(settings: RedisSettings, lost: unknown): Promise<string | undefined> {
  const { REDIS_SENTINELS: sentinels, REDIS_CLUSTER: nodes, ...single } = settings;
  for (const { host, port } of sentinels ?? nodes ?? []) {
    const url = new URL(single.REDIS_URL);
    url.host = `${host.includes(":") ? `[${host}]` : host}:${port}`;
    const server = connectRedis({ ...single, REDIS_URL: url.href }, once);
    let failure: unknown;
    server.on("error", (error) => (failure = error));
    await withTimeout(
      server.connect().catch(() => {}),
      serverTimeoutMs,
      () => {},
    );
    server.disconnect();
    // An answer, such as that the password is wrong, is not about the connection.
    if (failure instanceof Error && "code" in failure) return explainQueueError(failure);
  }
  if (lost === undefined && single.REDIS_URL.startsWith("rediss:")) return "it may not accept TLS";
  return explainQueueError(lost);
}

/** Problems with Redis's settings, as sentences. Unknown settings count as correct. */
export function findRedisFaults(servers: RedisFacts[]): string[] {
  return [...new Set(servers.flatMap(findServerFaults))];
}

function findServerFaults({ version, policy }: RedisFacts): string[] {
  return [
    ...(version !== undefined && isOlder(version, tried)
      ? [`Redis is version ${version}: Castellan is tested with ${tried.join(".")} and later.`]
      : []),
    ...(policy !== undefined && policy !== "noeviction"
      ? [`Redis has the eviction policy ${policy}, which may delete jobs: set maxmemory-policy noeviction.`]
      : []),
  ];
}

function requireVersion({ version }: RedisFacts): void {
  if (version === undefined || !isOlder(version, oldest)) return;
  throw new AppError(
    "invalid_configuration",
    `Redis is version ${version}: ${oldest.join(".")} is the oldest supported version.`,
  );
}

function capitalize(sentence: string): string {
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}

function isOlder(version: string, [major, minor]: readonly [number, number]): boolean {
  const [isMajor = 0, isMinor = 0] = version.split(".").map(Number);
  return isMajor < major || (isMajor === major && isMinor < minor);
}

/** The report of `castellan doctor` and /status about the queues' Redis, as sentences. */
export interface RedisReport {
  /** Its version and the owners of its jobs. */
  about: string;
  faults: string[];
}

/** Milliseconds. */
const timeoutMs = 3_000;

/** Checks a Redis over a separate connection: that it accepts us and changes, and does not evict jobs. Never throws. */
export async function examineRedis(settings: RedisSettings, name: string | undefined): Promise<RedisReport> {
  const prefix = name === undefined ? undefined : keyPrefixOf(settings, name);
  let redis: RedisClient | undefined;
  let lost: unknown;
  const look = async (): Promise<RedisReport> => {
    redis = connectRedis(settings, once);
    redis.on("error", (error) => (lost = error));
    await redis.connect();
    const facts = await readFacts(redis);
    const key = `${prefix ?? "castellan"}:doctor`;
    await redis.set(key, "1", "PX", 60_000);
    await redis.del(key);
    const others = await findOthers(redis, prefix);
    const versions = [...new Set(facts.flatMap(({ version }) => version ?? []))];
    const about = [
      `responds and accepts changes`,
      versions.length === 0
        ? "does not report its version and policy (INFO)"
        : `version ${versions.join(" and ")}`,
      ...(others > 0
        ? [`also has the jobs of ${others} other ${others === 1 ? "installation" : "installations"}`]
        : []),
    ].join(", ");
    return { about, faults: findRedisFaults(facts) };
  };
  const silent = async () => {
    const why = await explainLoss(settings, lost);
    const reason = why === undefined ? "" : ` (${why})`;
    return { about: "", faults: [`Redis has not responded for ${timeoutMs / 1000} s${reason}.`] };
  };
  try {
    return await withTimeout(look(), timeoutMs, silent);
  } catch (error) {
    const known = explainQueueError(error);
    const words = asAppError(error) ? known : await explainLoss(settings, known === undefined ? lost : error);
    const fault = words ?? "Redis cannot be used; the log has the cause";
    return { about: "", faults: [`${capitalize(fault)}.`] };
  } finally {
    redis?.disconnect();
  }
}

/** Other installations with queues in the same Redis, as far as one scan of each server shows. */
async function findOthers(client: RedisClient, prefix: string | undefined): Promise<number> {
  try {
    const scans = (await findMasters(client)).map((server) =>
      server.scan("0", "MATCH", "*castellan-*:poll-hub:meta", "COUNT", 10_000),
    );
    const keys = (await Promise.all(scans)).flatMap(([, found]) => found);
    return keys.filter((key) => prefix === undefined || !key.startsWith(`${prefix}:`)).length;
  } catch {
    return 0;
  }
}
