import { createRedisBackend } from "bullmq";
import type { Log } from "../log.ts";
import { createBackend, type Backend } from "./backend.ts";
import { findRedisFaults, waitForRedis } from "./look-at-redis.ts";
import { connectRedis, keyPrefixOf, type RedisSettings } from "./redis-client.ts";

/** Problems already logged, for all queues on the Redis. */
const said = new Set<string>();

/** `name` separates installations that share a Redis. Throws `invalid_configuration` and `database_unavailable`. */
export async function openRedisBackend(settings: RedisSettings, name: string, log: Log): Promise<Backend> {
  const prefix = keyPrefixOf(settings, name);
  const facts = await waitForRedis(settings);
  const faults = findRedisFaults(facts);
  for (const fault of faults.filter((each) => !said.has(each))) {
    said.add(fault);
    log.warn({ fault }, "Redis is misconfigured; see castellan doctor");
  }
  const reportsVersion = facts.every(({ version }) => version !== undefined);
  const options = {
    // BullMQ requires null: commands wait for the connection instead of failing.
    maxRetriesPerRequest: null,
    keepAlive: 10_000,
    // Both use INFO, and would print warnings outside the log if it is denied or a problem is known.
    enableReadyCheck: reportsVersion,
    skipVersionCheck: !reportsVersion || faults.length > 0,
  };
  const connection = connectRedis(settings, options);
  // Each queue and worker on the connection reports its errors; without a listener the event would end the process.
  connection.on("error", () => {});
  // Detects a read-only Redis now, instead of when no job runs.
  await connection.set(`${prefix}:opened`, "1", "PX", 60_000).catch((error: unknown) => {
    connection.disconnect();
    throw error;
  });
  return createBackend(
    createRedisBackend,
    { connection, prefix },
    {
      async dropFarLocks(queue, lockDuration) {
        for (const { id } of await queue.getActive()) {
          const lock = `${prefix}:${queue.name}:${id}:lock`;
          // Redis stores a key's expiry by its own clock.
          if ((await connection.pttl(lock)) > 2 * lockDuration) await connection.del(lock);
        }
      },
      reconnect() {
        if (connection.status === "ready") connection.disconnect(true);
      },
      close: () => connection.disconnect(),
    },
  );
}
