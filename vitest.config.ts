import { defineConfig } from "vitest/config";

/** The whole program from each side, once: its setup, its story, and its pages in a browser. */
const endToEnd = ["test/browser/{console,sandbox}", "test/end-to-end/{setup,story}"];
/** The same in depth, and hours of simulated time: minutes of processor time each. */
const inDepth = [
  "test/{browser,cli,end-to-end,live}/**/*",
  "test/commands/many-channels",
  "test/database/embedded/{directory,vacuum}",
  "test/observe/live-{hour,invites,lockdown}",
  "test/rules/{links/bad-feeds,measure/goals,threads/rule-threads}",
  "test/sandbox/page/*",
];
/** Tests that depend on a server's concurrent sessions: rows, locks and queues. */
const engines = [
  "test/api/{registry-writer,store/**/*}",
  "test/database/*",
  "test/{feed,metrics,moderation,outbox,queue}/**/*",
  "test/rules/{decide,pending}/**/*",
  "test/start/{check-connections,health,open-database}",
];
/** Features built on them: tested on servers before a release. */
const servers = [
  "test/api/{cached,http,network-file,operations}/**/*",
  "test/{commands,interface,models,observe,retention,reviews}/**/*",
  "test/crash/bulk*",
  "test/database/{large-tables,upgrade}*",
  "test/end-to-end/{followers,live-story,never-down,refused-start,several-processes,story}*",
  "test/rules/{facts,limits,rehearse,versions}/**/*",
  "test/servers/*",
];
/** Tests with a million rows that need a server. */
const large = ["test/database/large-tables*"];
/** Killed processes, which must be the only load. */
const crash = ["test/crash/{crash,takeover}*"];
/** Whole backups, upgrades and similar tests that take minutes: before a release. */
const release = [
  "test/crash/{bulk,flood,together}*",
  "test/database/embedded/back-up*",
  "test/database/upgrade*",
  "test/end-to-end/{backup,log-reader,network-file}*",
];

/** Simulated time has to stop while a statement runs, which can be detected only on the engine in this process. */
const simulated = ["test/observe/live-hour*"];

const project = (name: string, include: string[], exclude: string[] = []) => ({
  extends: true as const,
  test: {
    name,
    include: include.map((path) => `${path}.test.ts`),
    exclude: exclude.map((path) => `${path}.test.ts`),
  },
});

/** Each file is in one project. With servers from .ci/services.sh, only tests for servers are included. */
const projects = process.env["TEST_DATABASE_URL"]
  ? [project("engines", engines, [...release, ...large]), project("servers", servers, simulated)]
  : [
      project("main", ["test/**/*"], [...inDepth, ...crash, ...release, ...large]),
      project("end-to-end", endToEnd),
      project("in-depth", inDepth, [...endToEnd, ...release]),
      project("crash", crash),
      project("release", release),
    ];

export default defineConfig({
  test: {
    projects,
    globalSetup: ["test/support/global-setup.ts", "build-pages.js"],
    pool: "forks",
    // Files share a worker's modules, because reloading them for each took half of the time. No module has state.
    isolate: false,
    maxWorkers: 3,
    // Only against hanging tests: they check order and outcome, however busy the machine. Benches check times.
    testTimeout: 900_000,
    hookTimeout: 900_000,
    expect: { poll: { timeout: 60_000 } },
  },
});
