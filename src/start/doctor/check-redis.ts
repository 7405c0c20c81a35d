import type { Database } from "../../database/database.ts";
import { findQueuePrefix } from "../../queue/queues.ts";
import type { OptionalRedisSettings } from "../../queue/redis-client.ts";
import { ok, wrong, type Finding } from "./finding.ts";

/** Whether the queues' Redis accepts the connection and changes, does not evict keys, and which installation's jobs it has. */
export async function checkRedis(
  { REDIS_URL, ...more }: OptionalRedisSettings,
  data: { database: Database } | undefined,
): Promise<Finding[]> {
  if (REDIS_URL === undefined) return [];
  // Installations without Redis do not load its client.
  const { examineRedis } = await import("../../queue/look-at-redis.ts");
  const prefix = data && (await findQueuePrefix(data.database).catch(() => undefined));
  const { about, faults } = await examineRedis({ REDIS_URL, ...more }, prefix);
  const fix =
    "Check REDIS_URL, the other REDIS_ settings and the server's settings (docs/operate/databases.md).";
  if (faults.length === 0) return [ok("Redis", about)];
  return faults.map((fault) => wrong("Redis", fault, fix));
}
