/** Lists of bad links: a million hosts are read, replaced and looked up while the process has other work. */
import { fork } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { systemClock } from "../src/clock.ts";
import { boundTo } from "../src/listening.ts";
import { silentLog } from "../src/log.ts";
import { readKnownLists } from "../src/rules/links/known-lists.ts";
import { refreshLists } from "../src/rules/links/refresh-lists.ts";
import { openBenchDatabase } from "./bench-database.ts";
import { judge, row, write } from "./figures.ts";

const size = 1_000_000;
/** Milliseconds between samples of the event loop. */
const resolution = 5;
const hostOf = (index: number) =>
  `claim-${(index * 2_654_435_761) % 4_294_967_296}.bad${index % 977}.example`;

/** Serves the hosts: at /lines one per line, elsewhere in the format of wallets' lists. */
async function serve(): Promise<void> {
  const hosts = Array.from({ length: size }, (_, index) => hostOf(index));
  const lines = Buffer.from(hosts.join("\n"));
  const wallets = Buffer.from(JSON.stringify({ version: 2, fuzzylist: [], whitelist: [], blacklist: hosts }));
  const server = createServer(({ url }, response) =>
    response.end(url === "/few" ? "evil.example" : url === "/lines" ? lines : wallets),
  );
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  process.send?.(boundTo(server).port);
}

async function measure(): Promise<void> {
  const feed = fork(import.meta.filename);
  const [port] = (await once(feed, "message")) as [number]; // sent by `serve`
  const database = await openBenchDatabase();
  const context = (form: string) => ({
    database,
    clock: systemClock,
    log: silentLog,
    settings: {
      linkLists: {
        named: [{ name: "bench", url: `http://127.0.0.1:${port}/${form}`, allows: false }],
        everySeconds: 3600,
      },
    },
  });
  const good: boolean[] = [];
  const stops = async <T>(name: string, work: () => Promise<T>): Promise<T> => {
    const delay = monitorEventLoopDelay({ resolution });
    const started = performance.now();
    delay.enable();
    const result = await work();
    delay.disable();
    write(row(`${name} (s)`, ((performance.now() - started) / 1000).toFixed(2)));
    good.push(judge("  longest stop (ms)", delay.max / 1e6 - resolution, { most: 20 }));
    return result;
  };
  // Excludes code that a process loads once in any case, such as fetch.
  await refreshLists(context("few"));
  await readKnownLists({ database });
  const before = takeMemory();
  for (const form of ["wallets", "lines"]) {
    await stops(`read a million, as ${form}`, () => refreshLists(context(form)));
    await stops("load them", () => readKnownLists({ database }));
  }
  const lists = await readKnownLists({ database });
  good.push(judge("memory (MB)", (takeMemory() - before) / 2 ** 20, { most: 100 }));
  for (const [name, host] of [
    ["lookup of a listed host (µs)", (index: number) => hostOf(index)],
    ["lookup of a host below one (µs)", (index: number) => `www.${hostOf(index)}`],
    ["lookup of another host (µs)", (index: number) => `www.good${index}.example`],
  ] as const) {
    const hosts = Array.from({ length: 200_000 }, (_, index) => host(index));
    for (const each of hosts.slice(0, 20_000)) lists.find(each);
    const started = performance.now();
    for (const each of hosts) lists.find(each);
    good.push(judge(name, ((performance.now() - started) * 1000) / hosts.length, { most: 5 }));
  }
  await database.close();
  feed.kill();
  process.exitCode = good.every(Boolean) ? 0 : 1;
}

/** Bytes of this thread's heap and of the external memory that it refers to. */
function takeMemory(): number {
  globalThis.gc?.();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

await (process.send ? serve() : measure());
