/**
 * `.ci/services.sh node --import tsx test/metrics/alert-on-fault.ts`: a real Prometheus with our alerts scrapes a running
 * `castellan start`. Its database is cut off: CastellanDatabaseDown fires. It is back: nothing fires any more.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { runProgram } from "../support/program.ts";
import { startRelay } from "../support/relay.ts";
import { requireServers } from "../support/services.ts";

const timeoutMs = 120_000;
/** Alerts wait for minutes, in which a process without a database would be started again. */
const alertAfter = "10s";
const write = (line: string) => void process.stdout.write(`${line}\n`);

const Answer = z.object({
  data: z.object({
    alerts: z.array(z.object({ state: z.string(), labels: z.object({ alertname: z.string() }) })),
  }),
});

const deploy = (file: string) =>
  readFile(new URL(`../../deploy/monitoring/${file}`, import.meta.url), "utf8");

async function startPrometheus(directory: string, target: string) {
  const config = (await deploy("prometheus.yml"))
    .replace("127.0.0.1:4683", new URL(target).host)
    .replaceAll("15s", "2s");
  await writeFile(join(directory, "prometheus.yml"), config);
  const alerts = await deploy("alerts.yml");
  await writeFile(join(directory, "alerts.yml"), alerts.replaceAll(/for: \d+\w/g, `for: ${alertAfter}`));
  const child = spawn(
    "prometheus",
    [
      `--config.file=${join(directory, "prometheus.yml")}`,
      `--storage.tsdb.path=${join(directory, "data")}`,
      "--web.listen-address=127.0.0.1:0",
    ],
    { stdio: ["ignore", "ignore", "pipe"] },
  );
  let log = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (log += text));
  const origin = await until("Prometheus listens", async () => {
    const [, address] = /msg="Listening on" address=(\S+)/.exec(log) ?? [];
    return address && `http://${address}`;
  });
  return {
    async readFiring(): Promise<string[]> {
      const { data } = Answer.parse(await (await fetch(`${origin}/api/v1/alerts`)).json());
      return data.alerts.flatMap(({ state, labels }) => (state === "firing" ? [labels.alertname] : []));
    },
    async close() {
      child.kill();
      await once(child, "exit");
    },
  };
}

async function until<T>(what: string, look: () => Promise<T | undefined>): Promise<T> {
  const began = performance.now();
  for (; performance.now() - began < timeoutMs; await sleep(500)) {
    const found = await look();
    if (found === undefined) continue;
    write(`${what}: after ${Math.round((performance.now() - began) / 1000)} s`);
    return found;
  }
  throw new Error(`${what}: not within ${timeoutMs / 1000} s`);
}

const directory = await mkdtemp(join(tmpdir(), "castellan-alerts-"));
const relay = await startRelay(requireServers().server);
const url = new URL(requireServers().server);
url.host = new URL(relay.url).host;
const program = runProgram(["start"], {
  DATA_DIR: join(directory, "castellan"),
  DATABASE_URL: url.href,
  METRICS_PORT: "0",
});
try {
  const prometheus = await startPrometheus(directory, (await program.ready).metrics);
  try {
    // Once it was seen: what fires while nothing is wrong would be found here, too.
    await sleep(30_000);
    const quiet = await prometheus.readFiring();
    if (quiet.length > 0) throw new Error(`fires while all is well: ${quiet.join()}`);
    relay.cut();
    await until("CastellanDatabaseDown fires", async () =>
      (await prometheus.readFiring()).includes("CastellanDatabaseDown") ? true : undefined,
    );
    relay.fix();
    await until("nothing fires any more", async () =>
      (await prometheus.readFiring()).length === 0 ? true : undefined,
    );
  } finally {
    await prometheus.close();
  }
} catch (error) {
  write(program.output());
  throw error;
} finally {
  await program.end();
  await relay.close();
  await rm(directory, { recursive: true, force: true });
}
