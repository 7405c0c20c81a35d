import { createRedisBackend } from "bullmq";
import { Redis } from "ioredis";
import type { Log } from "../log.ts";
import { createBackend, type Backend } from "./backend.ts";
import { findRedisFaults, waitForRedis } from "./look-at-redis.ts";

/** What was said of a Redis once is said for all queues on it. */
const said = new Set<string>();

/** `prefix` separates what shares one Redis. Throws `invalid_configuration` and `database_unavailable`. */
export async function openRedisBackend(url: string, prefix: string, log: Log): Promise<Backend> {
  const facts = await waitForRedis(url);
  const faults = findRedisFaults(facts);
  for (const fault of faults.filter((each) => !said.has(each))) {
    said.add(fault);
    log.warn({ fault }, "Redis is not set up as it should be; castellan doctor says so, too");
  }
  const options = {
    // BullMQ asks for null: a command waits for the connection instead of failing.
    maxRetriesPerRequest: null,
    keepAlive: 10_000,
    // Both ask by INFO: who may not is warned, as is each connection of what was said above, by lines beside the log.
    enableReadyCheck: facts.version !== undefined,
    skipVersionCheck: facts.version === undefined || faults.length > 0,
  };
  const connection = new Redis(url, options);
  // Each queue and worker on the connection reports its errors; without a listener the event would end the process.
  connection.on("error", () => {});
  // One that takes no changes is refused now, and not when it is found that no job runs.
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
          // Redis keeps the moment of a key's end, by its own clock.
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
