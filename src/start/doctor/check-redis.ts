import type { Database } from "../../database/database.ts";
import { findQueuePrefix } from "../../queue/queues.ts";
import { ok, wrong, type Finding } from "./finding.ts";

/** Whether the Redis of the queues lets us in, takes changes, keeps what it is given, and whose jobs it holds. */
export async function checkRedis(
  url: string | undefined,
  data: { database: Database } | undefined,
): Promise<Finding[]> {
  if (url === undefined) return [];
  // Who uses none does not load what speaks to one.
  const { examineRedis } = await import("../../queue/look-at-redis.ts");
  const prefix = data && (await findQueuePrefix(data.database).catch(() => undefined));
  const { about, faults } = await examineRedis(url, prefix);
  const fix = "Check REDIS_URL and the settings of its server (docs/operate/databases.md).";
  if (faults.length === 0) return [ok("Redis", about)];
  return faults.map((fault) => wrong("Redis", fault, fix));
}
