import { Redis } from "ioredis";
import { withTimeout } from "../async.ts";
import { AppError, asAppError } from "../errors.ts";
import { explainQueueError } from "./queue-errors.ts";

/** The version and settings that a Redis reports; undefined if we are not allowed to read them. */
interface RedisFacts {
  version: string | undefined;
  policy: string | undefined;
}

/** The oldest version that BullMQ supports, and the oldest one tested. */
const oldest = [5, 0] as const;
const tried = [6, 2] as const;

/** Milliseconds to wait for a Redis when a process starts. */
const startTimeoutMs = 8_000;

/** Waits for a Redis. Throws `invalid_configuration` if it rejects us, `database_unavailable` if it is unreachable. */
export async function waitForRedis(url: string): Promise<RedisFacts> {
  const redis = new Redis(url, {
    maxRetriesPerRequest: null,
    retryStrategy: () => 250,
    enableReadyCheck: false,
  });
  let lost: unknown;
  redis.on("error", (error) => (lost = error));
  const silent = () => {
    const why = explainQueueError(lost);
    const reason = why === undefined ? "" : ` (${why})`;
    throw new AppError(
      "database_unavailable",
      `The queue does not respond${reason}. Check REDIS_URL, and that its server is running.`,
    );
  };
  try {
    const facts = await withTimeout(lookAtRedis(redis), startTimeoutMs, silent);
    requireVersion(facts);
    return facts;
  } catch (cause) {
    const words = asAppError(cause) ? undefined : explainQueueError(cause);
    if (words === undefined) throw cause;
    throw new AppError("invalid_configuration", `${capitalize(words)}.`, { cause });
  } finally {
    redis.disconnect();
  }
}

async function lookAtRedis(connection: Redis): Promise<RedisFacts> {
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
  };
}

/** Problems with Redis's settings, as sentences. Unknown settings count as correct. */
export function findRedisFaults({ version, policy }: RedisFacts): string[] {
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
export async function examineRedis(url: string, prefix: string | undefined): Promise<RedisReport> {
  const redis = new Redis(url, {
    lazyConnect: true,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
    enableReadyCheck: false,
  });
  let lost: unknown;
  redis.on("error", (error) => (lost = error));
  const look = async (): Promise<RedisReport> => {
    await redis.connect();
    const facts = await lookAtRedis(redis);
    const key = `${prefix ?? "castellan"}:doctor`;
    await redis.set(key, "1", "PX", 60_000);
    await redis.del(key);
    const others = await findOthers(redis, prefix);
    const about = [
      `responds and accepts changes`,
      facts.version === undefined
        ? "does not report its version and policy (INFO)"
        : `version ${facts.version}`,
      ...(others > 0
        ? [`also has the jobs of ${others} other ${others === 1 ? "installation" : "installations"}`]
        : []),
    ].join(", ");
    return { about, faults: findRedisFaults(facts) };
  };
  const silent = { about: "", faults: [`Redis has not responded for ${timeoutMs / 1000} s.`] };
  try {
    return await withTimeout(look(), timeoutMs, () => silent);
  } catch (error) {
    const words =
      explainQueueError(error) ?? explainQueueError(lost) ?? "Redis cannot be used; the log has the cause";
    return { about: "", faults: [`${capitalize(words)}.`] };
  } finally {
    redis.disconnect();
  }
}

/** Other installations with queues in the same Redis, as far as one scan shows. */
async function findOthers(redis: Redis, prefix: string | undefined): Promise<number> {
  try {
    const [, keys] = await redis.scan("0", "MATCH", "castellan-*:poll-hub:meta", "COUNT", 10_000);
    return keys.filter((key) => prefix === undefined || !key.startsWith(`${prefix}:`)).length;
  } catch {
    return 0;
  }
}
