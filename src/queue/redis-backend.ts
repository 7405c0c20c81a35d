import { createRedisBackend } from "bullmq";
import { Redis } from "ioredis";
import { createBackend, type Backend } from "./backend.ts";

/** `prefix` separates what shares one Redis. */
export function openRedisBackend(url: string, prefix: string): Backend {
  // BullMQ asks for null: a command waits for the connection instead of failing.
  const connection = new Redis(url, { maxRetriesPerRequest: null, keepAlive: 10_000 });
  // Each queue and worker on the connection reports its errors; without a listener the event would end the process.
  connection.on("error", () => {});
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
