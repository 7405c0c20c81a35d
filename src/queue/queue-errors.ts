import { asAppError, explainCertificateError } from "../errors.ts";

/** Redis's errors by their first word, in words that follow "why:". */
const refusals: Readonly<Record<string, string>> = {
  OOM: "Redis is full (maxmemory) and refuses writes; give it more memory",
  READONLY: "Redis is a read-only replica; REDIS_URL must name the primary",
  UNBLOCKED: "Redis has become a read-only replica; REDIS_URL must name the primary",
  NOAUTH: "Redis requires a password; REDIS_URL has none, or an outdated one",
  WRONGPASS: "Redis rejects the user or password in REDIS_URL",
  NOPERM: "Redis denies the user in REDIS_URL a command that the queues need (allow ~* &* +@all)",
  MISCONF: "Redis cannot write to its disk and refuses writes",
  LOADING: "Redis is still loading its data",
  MASTERDOWN: "Redis is a replica that has lost its primary",
  NOREPLICAS: "Redis has too few replicas to accept writes (min-replicas-to-write)",
  CLUSTERDOWN: "the Redis Cluster is down",
  MOVED: "Redis is a cluster; REDIS_CLUSTER must name its nodes",
  CROSSSLOT: "Redis is a cluster; REDIS_CLUSTER must name its nodes",
};

/** The client's errors with several servers, by their messages. */
const serverErrors: readonly (readonly [RegExp, string])[] = [
  [/^All sentinels.*(NOAUTH|WRONGPASS)/s, "the Sentinels reject REDIS_SENTINEL_PASSWORD, or require one"],
  [/^All sentinels.*No such master/s, "the Sentinels do not know the master that REDIS_URL names"],
  [/^All sentinels.*unknown command/s, "REDIS_SENTINELS names servers that are not Sentinels"],
  [/^All sentinels/, "no Sentinel responds"],
  [/cluster support disabled/, "Redis is not a cluster; remove REDIS_CLUSTER"],
  [/^Failed to refresh slots/, "no node of the Redis Cluster responds"],
];

/** Errors of connections, by Node's codes. */
const connectionErrors: Readonly<Record<string, string>> = {
  ECONNREFUSED: "nothing listens at its address",
  ENOTFOUND: "its host is unknown",
  EAI_AGAIN: "its host cannot be looked up",
  ETIMEDOUT: "the connection timed out",
  ECONNRESET: "the connection was lost",
  EPIPE: "the connection was lost",
  EHOSTUNREACH: "its host cannot be reached",
  ENETUNREACH: "its network cannot be reached",
};

/**
 * Explains why a queue rejects calls or cannot be reached; undefined if unknown. Never quotes an address, which may
 * contain a password.
 */
export function explainQueueError(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const known = asAppError(error);
  if (known) return known.message.replace(/\.$/, "");
  // What the last node of a cluster answered.
  const atNode = "lastNodeError" in error ? explainQueueError(error.lastNodeError) : undefined;
  if (atNode !== undefined) return atNode;
  const untrusted = explainCertificateError(error);
  if (untrusted !== undefined) return `Redis's ${untrusted}; check REDIS_URL and REDIS_CA_FILE`;
  if ("code" in error) {
    const reason = connectionErrors[String(error.code)];
    if (reason !== undefined) return `its server does not respond: ${reason}`;
  }
  if (/DB index is out of range/.test(error.message))
    return "Redis has no database with the number in REDIS_URL";
  const ofServers = serverErrors.find(([message]) => message.test(error.message));
  if (ofServers !== undefined) return ofServers[1];
  // A script's failure follows after the message of BullMQ's client.
  const word = /\b[A-Z]{3,}\b/g;
  for (const [name] of error.message.matchAll(word)) {
    const reason = Object.hasOwn(refusals, name) ? refusals[name] : undefined;
    if (reason !== undefined) return reason;
  }
  return undefined;
}
