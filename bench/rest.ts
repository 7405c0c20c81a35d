/**
 * `npm run bench:rest`: what the whole program uses when idle, on a new data directory and then on the same one:
 * seconds until it is ready, memory ten seconds later, and processor time over `-- --minutes` (5) minutes, because the
 * first one also compiles what runs for the first time. `--only first`, `second` or `traffic` measures only that one.
 */
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { judge } from "./figures.ts";
import { spawnCastellan } from "./spawn-castellan.ts";

const { values } = parseArgs({
  options: { minutes: { type: "string", default: "5" }, only: { type: "string" } },
});
const seconds = Number(values.minutes) * 60;
/** Seconds before memory is measured, and processor time from then on. */
const settled = 10;
const maxMegabytes = 320;
/** In hundredths of a core. */
const maxProcessor = { off: 6, on: 6 };

async function readProcess(pid: number): Promise<{ megabytes: number; processor: number }> {
  const fields = (await readFile(`/proc/${pid}/stat`, "utf8")).split(" ");
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  const kilobytes = Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]);
  return { megabytes: kilobytes / 1024, processor: (Number(fields[13]) + Number(fields[14])) / 100 };
}

interface Start {
  title: string;
  traffic: keyof typeof maxProcessor;
}

const starts = {
  first: { title: "first start, no traffic", traffic: "off" },
  second: { title: "second start, no traffic", traffic: "off" },
  traffic: { title: "sample traffic", traffic: "on" },
} satisfies Record<string, Start>;

/** Starts the program; returns it and the seconds until it was ready. */
async function start(directory: string, traffic: Start["traffic"]) {
  const began = performance.now();
  const child = spawnCastellan({
    checkout: ".",
    role: "start",
    env: {
      DATA_DIR: directory,
      PORT: "0",
      SANDBOX_PORT: "0",
      CONSOLE_PORT: "0",
      SANDBOX_TRAFFIC: traffic,
      LOG_LEVEL: "error",
    },
    stdout: "pipe",
  });
  const { stdout } = child;
  if (!stdout) throw new Error("nothing is heard of it");
  for await (const line of createInterface(stdout)) if (line.includes("ready:")) break;
  return { child, ready: (performance.now() - began) / 1000 };
}

async function stop(child: ChildProcess): Promise<void> {
  child.kill();
  await once(child, "exit");
}

async function rest(directory: string, { title, traffic }: Start): Promise<boolean> {
  const { child, ready } = await start(directory, traffic);
  const { pid = 0 } = child;
  await sleep(settled * 1000);
  const before = await readProcess(pid);
  await sleep(seconds * 1000);
  const after = await readProcess(pid);
  await stop(child);
  const used = (100 * (after.processor - before.processor)) / seconds;
  return [
    judge(`${title}: seconds until ready`, ready, { most: 10 }),
    judge(`${title}: MB after ${settled} s`, before.megabytes, { most: maxMegabytes }),
    judge(`${title}: % of a core`, used, { most: maxProcessor[traffic] }),
  ].every(Boolean);
}

const directory = await mkdtemp(join(tmpdir(), "castellan-bench-"));
try {
  const chosen = Object.entries(starts).filter(([name]) => values.only === undefined || values.only === name);
  if (chosen.length === 0) throw new Error(`--only takes ${Object.keys(starts).join(", ")}`);
  // All except a first start need a directory that has been used before.
  if (chosen[0]?.[0] !== "first") await stop((await start(directory, "off")).child);
  for (const [, one] of chosen) if (!(await rest(directory, one))) process.exitCode = 1;
} finally {
  await rm(directory, { recursive: true });
}
