import { spawn, type ChildProcess } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Redis } from "ioredis";
import type { Database } from "../../src/database/database.ts";
import { silentLog, type Log } from "../../src/log.ts";
import { openQueues, type Queues } from "../../src/queue/queues.ts";

/** Only a server has two transactions at once; on the embedded engine they come one after the other. */
export const hasServer = process.env["TEST_DATABASE_URL"] !== undefined;

/** The servers of `.ci/services.sh`; throws where it does not run. */
export function requireServers(): { server: string; redis: string } {
  const { TEST_DATABASE_URL: server, TEST_REDIS_URL: redis } = process.env;
  if (server && redis) return { server, redis };
  throw new Error("This needs a PostgreSQL and a Redis: .ci/services.sh npm run …");
}

/** The certificates of `.ci/services.sh`, as files: of a server at localhost, its authority, and a stranger. */
export function requireCertificate(name: "authority" | "stranger" | "server"): string {
  const folder = process.env["TEST_CERTIFICATES"];
  if (folder) return join(folder, `${name}.pem`);
  throw new Error("This needs certificates: .ci/services.sh");
}

/** The address of PgBouncer; throws where `.ci/pooler.sh` does not run. */
export function requirePooler(): string {
  const pooler = process.env["TEST_POOLER_URL"];
  if (pooler) return pooler;
  throw new Error("This needs a pooler: .ci/pooler.sh");
}

/** The same where it runs, and nothing where it does not. */
export function findServers(): { server: string; redis: string } | undefined {
  return hasServer ? requireServers() : undefined;
}

/** Redis can be lost in tests only where they are run with servers (.ci/services.sh). */
export const hasRedis = process.env["TEST_REDIS_URL"] !== undefined;

/** A Redis of a test's own, without a file: killed, it comes back empty. */
export interface RedisServer {
  url: string;
  flush(): Promise<void>;
  /** Kills it and starts an empty one at the same place. */
  restartEmpty(): Promise<void>;
  /** It answers nothing, and its connections stay. */
  halt(): void;
  goOn(): void;
  kill(): Promise<void>;
}

export async function startRedis(): Promise<RedisServer> {
  const port = await findPort();
  const url = `redis://127.0.0.1:${port}`;
  let server = await run(port, url);
  const kill = async () => {
    if (server.signalCode !== null || server.exitCode !== null) return;
    const exited = once(server, "exit");
    server.kill("SIGCONT");
    server.kill("SIGKILL");
    await exited;
  };
  return {
    url,
    async flush() {
      const client = new Redis(url);
      await client.flushall();
      client.disconnect();
    },
    async restartEmpty() {
      await kill();
      server = await run(port, url);
    },
    halt: () => void server.kill("SIGSTOP"),
    goOn: () => void server.kill("SIGCONT"),
    kill,
  };
}

async function run(port: number, url: string): Promise<ChildProcess> {
  const server = spawn("redis-server", ["--bind", "127.0.0.1", "--port", String(port), "--save", ""], {
    stdio: "ignore",
  });
  process.once("exit", () => server.kill("SIGKILL"));
  const client = new Redis(url, { retryStrategy: () => 100, maxRetriesPerRequest: null });
  client.on("error", () => {});
  await client.ping();
  client.disconnect();
  return server;
}

/** A port that nobody listens on. */
export async function findPort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  // A TCP server that listens has an address of this kind.
  const { port } = server.address() as AddressInfo;
  server.close();
  await sleep(10);
  return port;
}

/** Where the queue tests keep their jobs: always the database, and Redis where TEST_REDIS_URL gives one. */
export const queueStores = process.env["TEST_REDIS_URL"] ? ["the database", "Redis"] : ["the database"];

export interface QueueStore {
  /** Opens queues of one test's own; to be called again as another process would. */
  open<Name extends string>(names: readonly Name[], log?: Log): Promise<Queues<Name>>;
}

export function createQueueStore(store: string, database: Database): QueueStore {
  const redis = { REDIS_URL: store === "Redis" ? process.env["TEST_REDIS_URL"] : undefined };
  const prefix = randomUUID();
  return { open: (names, log = silentLog) => openQueues(names, { database, log, redis, prefix }) };
}

/** `SOAK` multiplies what random tests try, and then they try something else each time. */
export const soak = process.env["SOAK"];

/** From now on tests of this process, and of those that it starts, have the embedded engine. */
export function forgetServers(): void {
  delete process.env["TEST_DATABASE_URL"];
  delete process.env["TEST_REDIS_URL"];
}
