import { readFileSync } from "node:fs";
import { Cluster, Redis, type RedisOptions } from "ioredis";
import { AppError, explainSystemError } from "../errors.ts";

/** The settings of the queues' Redis, by their names in .env.example. */
export interface RedisSettings {
  /** One server; with Sentinels, the master's name as the host; with a cluster, one of its nodes. */
  REDIS_URL: string;
  REDIS_CA_FILE?: string | undefined;
  REDIS_SENTINELS?: RedisAddress[] | undefined;
  REDIS_SENTINEL_PASSWORD?: string | undefined;
  REDIS_CLUSTER?: RedisAddress[] | undefined;
}

/** The same if the database may store the queues instead. */
export type OptionalRedisSettings = Omit<RedisSettings, "REDIS_URL"> & { REDIS_URL?: string | undefined };

interface RedisAddress {
  host: string;
  port: number;
}

export type RedisClient = Redis | Cluster;

type Options = Pick<
  RedisOptions,
  "enableReadyCheck" | "keepAlive" | "lazyConnect" | "maxRetriesPerRequest" | "retryStrategy" | "tls"
>;

/**
 * The only code that connects to Redis: to one server, to the master that Sentinels name, or to a cluster. A
 * `retryStrategy` applies to Sentinels and clusters, too. Throws `invalid_configuration` if REDIS_CA_FILE is unreadable.
 */
export function connectRedis(settings: RedisSettings, options: Options): RedisClient {
  const { REDIS_URL, REDIS_CA_FILE: authority, REDIS_SENTINELS: sentinels, REDIS_CLUSTER: nodes } = settings;
  const url = new URL(REDIS_URL);
  const tls = url.protocol === "rediss:" && { ...(authority && { ca: readAuthority(authority) }) };
  const shared: Options = { ...options, ...(tls && { tls }) };
  const host = url.hostname.replace(/^\[|\]$/g, "");
  if (nodes !== undefined) {
    const first = { host, port: Number(url.port || 6379) };
    return new Cluster([first, ...nodes], clusterOptionsOf(shared, url));
  }
  if (sentinels === undefined) return new Redis(REDIS_URL, shared);
  return new Redis(REDIS_URL, {
    ...shared,
    sentinels,
    name: decodeURIComponent(host),
    ...(settings.REDIS_SENTINEL_PASSWORD && { sentinelPassword: settings.REDIS_SENTINEL_PASSWORD }),
    ...(tls && { enableTLSForSentinelMode: true, sentinelTLS: tls }),
    ...(options.retryStrategy && { sentinelRetryStrategy: options.retryStrategy }),
  });
}

function readAuthority(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (cause) {
    const why = explainSystemError(cause) ?? String(cause);
    throw new AppError("invalid_configuration", `REDIS_CA_FILE (${file}) cannot be read: ${why}.`, { cause });
  }
}

function clusterOptionsOf(options: Options, { username, password }: URL) {
  return {
    ...(options.enableReadyCheck !== undefined && { enableReadyCheck: options.enableReadyCheck }),
    ...(options.lazyConnect !== undefined && { lazyConnect: options.lazyConnect }),
    ...(options.retryStrategy && { clusterRetryStrategy: options.retryStrategy }),
    redisOptions: {
      ...options,
      ...(username && { username: decodeURIComponent(username) }),
      ...(password && { password: decodeURIComponent(password) }),
    },
    // Certificates are for names, so names must not be replaced by addresses.
    dnsLookup: (name: string, done: (error: null, address: string) => void) => done(null, name),
  };
}

/** In a cluster, all keys of a queue must be on one node, which the part in braces decides. */
export function keyPrefixOf({ REDIS_CLUSTER: nodes }: RedisSettings, prefix: string): string {
  return nodes === undefined ? prefix : `{${prefix}}`;
}

/** The connections to all servers that have keys. */
export async function findMasters(client: RedisClient): Promise<Redis[]> {
  if (!(client instanceof Cluster)) return [client];
  // Waits until the nodes are known.
  await client.ping();
  return client.nodes("master");
}
