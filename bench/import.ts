import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { defaultSettings, type ApiContext } from "../src/api/context.ts";
import { createApi } from "../src/api/create-api.ts";
import { createRegistrySigner } from "../src/api/signatures.ts";
import { systemClock } from "../src/clock.ts";
import { silentLog } from "../src/log.ts";
import { operatorToken, serveNetwork } from "../test/support/served-network.ts";
import { openBenchDatabase } from "./bench-database.ts";
import { judge } from "./figures.ts";

/** How long the serving process blocks while it receives a network file over HTTP. */
const records = 50_000;
const goal = 50;
/** Milliseconds between samples of the event loop. */
const resolution = 5;

const database = await openBenchDatabase();
const context: ApiContext = {
  database,
  clock: systemClock,
  log: silentLog,
  settings: defaultSettings,
  registry: createRegistrySigner(`0x${"7".repeat(64)}`, defaultSettings.nameDomain),
};
const { url, server } = await serveNetwork({ context, api: createApi(context) });
const idle = monitorEventLoopDelay({ resolution });
idle.enable();
await sleep(2000);
idle.disable();

const busy = monitorEventLoopDelay({ resolution });
busy.enable();
const began = performance.now();
const client = fork(join(import.meta.dirname, "post-network-file.js"), [url, operatorToken, String(records)]);
// The first value of an exit event is the code.
const [code] = (await once(client, "exit")) as [number];
busy.disable();
const took = (performance.now() - began) / 1000;
await server.close();
await database.close();

const milliseconds = (delay: number) => (delay / 1e6 - resolution).toFixed(1);
const p99 = busy.percentile(99) / 1e6 - resolution;
process.stdout.write(
  `${records} records in ${took.toFixed(1)} s (${database.engine}); event loop longest ${milliseconds(busy.max)} ms, ` +
    `idle p99 ${milliseconds(idle.percentile(99))} ms\n`,
);
const met = judge("event loop p99 while importing, ms", p99, { most: goal });
process.exitCode = code === 0 && met ? 0 : 1;
