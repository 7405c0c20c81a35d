import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Redis } from "ioredis";
import { expect, vi } from "vitest";
import { findPort, requireCertificate } from "./services.ts";

/** What makes a Redis offer TLS at its port, and nothing else. */
export function tlsOf(port: number): string[] {
  const certificate = requireCertificate("server");
  return [
    ["--port", "0", "--tls-port", String(port), "--tls-auth-clients", "no"],
    ["--tls-cert-file", certificate, "--tls-key-file", certificate.replace(/pem$/, "key")],
    ["--tls-ca-cert-file", requireCertificate("authority"), "--tls-cluster", "yes"],
  ].flat();
}

export interface OwnServer {
  port: number;
  /** For a test that looks at it; closed with it. */
  admin: Redis;
  /** It answers nothing, and its connections stay. */
  halt(): void;
  goOn(): void;
  kill(): Promise<void>;
}

/** A redis-server of a test's own, with these words or with these lines as its configuration, in a folder of its own. */
export async function startServer(
  options: { words?: (port: number) => string[]; lines?: (port: number) => string[]; password?: string } = {},
): Promise<OwnServer> {
  const [port, folder] = await Promise.all([findPort(), mkdtemp(join(tmpdir(), "castellan-redis-"))]);
  const file = join(folder, "server.conf");
  const lines = options.lines?.(port);
  await writeFile(file, (lines ?? []).join("\n"));
  const words = options.words?.(port) ?? (lines ? ["--sentinel"] : ["--port", String(port)]);
  const usual = lines ? [] : ["--save", "", "--bind", "127.0.0.1"];
  const child = spawn("redis-server", [file, ...words, ...usual], { stdio: "ignore", cwd: folder });
  const atExit = () => child.kill("SIGKILL");
  process.once("exit", atExit);
  const admin = new Redis({
    port,
    host: "localhost",
    maxRetriesPerRequest: null,
    retryStrategy: () => 100,
    ...(options.password !== undefined && { password: options.password }),
    ...(words.includes("--tls-port") && { tls: { rejectUnauthorized: false } }),
  });
  admin.on("error", () => {});
  await admin.ping();
  return {
    port,
    admin,
    halt: () => void child.kill("SIGSTOP"),
    goOn: () => void child.kill("SIGCONT"),
    async kill() {
      admin.disconnect();
      process.off("exit", atExit);
      if (child.signalCode === null && child.exitCode === null) {
        const exited = once(child, "exit");
        child.kill("SIGCONT");
        child.kill("SIGKILL");
        await exited;
      }
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The port at which the nodes of a cluster talk to each other. */
const busOf = (port: number) => String(port > 50_000 ? port - 10_000 : port + 10_000);

/** Three servers that are one cluster. */
export async function startCluster(
  words = (port: number): string[] => ["--port", String(port)],
): Promise<OwnServer[]> {
  const cluster = ["--cluster-enabled", "yes", "--cluster-node-timeout", "2000", "--cluster-port"];
  const node = () => startServer({ words: (port) => [...words(port), ...cluster, busOf(port)] });
  const nodes = await Promise.all([node(), node(), node()]);
  const slots = Math.ceil(16_384 / nodes.length);
  for (const [index, { admin, port }] of nodes.entries()) {
    const last = Math.min((index + 1) * slots, 16_384) - 1;
    await admin.call("CLUSTER", "ADDSLOTSRANGE", String(index * slots), String(last));
    for (const other of nodes) {
      if (other.port === port) continue;
      await other.admin.call("CLUSTER", "MEET", "127.0.0.1", String(port), busOf(port));
    }
  }
  for (const { admin } of nodes) {
    await vi.waitFor(
      async () => {
        const info = String(await admin.call("CLUSTER", "INFO"));
        expect(info).toMatch(/cluster_state:ok[^]*cluster_known_nodes:3/);
      },
      { timeout: 60_000, interval: 100 },
    );
  }
  return nodes;
}
