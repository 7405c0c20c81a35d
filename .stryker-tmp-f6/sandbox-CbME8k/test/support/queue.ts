// @ts-nocheck
import { randomUUID } from "node:crypto";
import type { Database } from "../../src/database/database.ts";
import { silentLog, type Log } from "../../src/log.ts";
import { openQueues, type Queues } from "../../src/queue/queues.ts";

/** Where the queue tests keep their jobs: always the database, and Redis where TEST_REDIS_URL gives one. */
export const queueStores = process.env["TEST_REDIS_URL"] ? ["the database", "Redis"] : ["the database"];

export interface QueueStore {
  /** Opens queues of one test's own; to be called again as another process would. */
  open<Name extends string>(names: readonly Name[], log?: Log): Promise<Queues<Name>>;
}

export function createQueueStore(store: string, database: Database): QueueStore {
  const redisUrl = store === "Redis" ? process.env["TEST_REDIS_URL"] : undefined;
  const prefix = randomUUID();
  return { open: (names, log = silentLog) => openQueues(names, { database, log, redisUrl, prefix }) };
}
