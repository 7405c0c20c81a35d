import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { Redis } from "ioredis";

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

async function findPort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  // A TCP server that listens has an address of this kind.
  const { port } = server.address() as AddressInfo;
  server.close();
  await sleep(10);
  return port;
}
