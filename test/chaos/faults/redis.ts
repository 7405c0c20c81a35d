import { setTimeout as sleep } from "node:timers/promises";
import { Redis } from "ioredis";
import { endAll, lasting, pick, type Fault } from "../fault.ts";
import type { Fleet } from "../fleet.ts";

/** Sends a command of its administrator. */
async function administer({ redis }: Fleet, [name = "", ...words]: readonly string[]): Promise<void> {
  const client = new Redis(redis.url);
  await client.call(name, ...words);
  client.disconnect();
}

export const redisFaults: readonly Fault[] = [
  {
    name: "redis-killed",
    injected: "SIGKILL of Redis, which comes back empty",
    holds: "work whose jobs are lost is done",
    seconds: 30,
    inject: ({ redis }) => redis.restartEmpty(),
  },
  {
    name: "redis-away",
    injected: "Redis refuses connections for 7 s",
    holds: "commands are answered, and no process ends",
    seconds: 40,
    inject: lasting(7, ({ roads }) => roads.redis.cut()),
  },
  {
    name: "redis-suspended",
    injected: "SIGSTOP of Redis for 6 s",
    holds: "no process ends",
    seconds: 40,
    inject: lasting(6, ({ redis }) => redis.halt()),
  },
  {
    name: "redis-flushed",
    injected: "FLUSHALL five times, one a second",
    holds: "work whose jobs are lost is done",
    seconds: 30,
    inject: async (fleet) => {
      for (let count = 0; count < 5; count += 1) {
        await administer(fleet, ["FLUSHALL"]);
        await sleep(1_000);
      }
    },
  },
  {
    name: "redis-full",
    injected: "Redis is full for 6 s (maxmemory with noeviction)",
    holds: "no process ends",
    seconds: 40,
    inject: lasting(
      6,
      (fleet) => administer(fleet, ["CONFIG", "SET", "maxmemory", "1"]),
      (fleet) => administer(fleet, ["CONFIG", "SET", "maxmemory", "0"]),
    ),
  },
  {
    name: "redis-read-only",
    injected: "Redis is a read-only replica for 6 s",
    holds: "no process ends",
    seconds: 40,
    inject: lasting(
      6,
      (fleet) => administer(fleet, ["REPLICAOF", "127.0.0.1", "1"]),
      (fleet) => administer(fleet, ["REPLICAOF", "NO", "ONE"]),
    ),
  },
  {
    name: "redis-silent",
    injected: "every connection to Redis falls silent without an end; new ones are served",
    holds: "workers get new connections, and no process ends",
    seconds: 60,
    inject: async ({ roads }) => roads.redis.silence(),
    without: {
      protection: "Workers that do not run get new connections",
      patches: [{ file: "src/queue/watch-workers.ts", from: "        reconnect();\n", to: "" }],
    },
  },
  {
    name: "redis-slow",
    injected: "each command of Redis takes 100 ms longer, for 6 s",
    holds: "no process ends",
    seconds: 30,
    inject: lasting(6, ({ roads }) => roads.redis.slow(50)),
  },
  {
    name: "redis-emptied-worker-killed",
    injected: "SIGKILL of Redis, which comes back empty, and of two workers",
    holds: "work whose jobs are lost is done",
    seconds: 70,
    inject: async ({ redis, of }) => {
      await Promise.all([
        redis.restartEmpty(),
        endAll([pick(of("worker")), pick(of("worker"), 2)], "SIGKILL"),
      ]);
    },
  },
];
