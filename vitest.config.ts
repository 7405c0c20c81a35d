import { defineConfig } from "vitest/config";

/** The whole program once from each side: how it is set up, its story, and its pages in a browser. */
const endToEnd = ["test/browser/{console,sandbox}", "test/end-to-end/{setup,story}"];
/** The same in depth, and hours of simulated time: minutes of processor time for each. */
const inDepth = [
  "test/{browser,cli,end-to-end,live}/**/*",
  "test/commands/many-channels",
  "test/database/embedded/{directory,vacuum}",
  "test/observe/live-{hour,invites,lockdown}",
  "test/rules/{links/bad-feeds,measure/goals,threads/rule-threads}",
  "test/sandbox/page/*",
];
/** What holds only if a server's sessions get along: rows, locks and queues. */
const engines = [
  "test/api/{registry-writer,store/**/*}",
  "test/database/*",
  "test/{feed,metrics,moderation,outbox,queue}/**/*",
  "test/rules/{decide,pending}/**/*",
  "test/start/{check-connections,health,open-database}",
];
/** What is built upon that: tried on servers before a release. */
const servers = [
  "test/api/{cached,http,network-file,operations}/**/*",
  "test/{commands,interface,models,observe,retention,reviews}/**/*",
  "test/crash/bulk*",
  "test/database/{large-tables,upgrade}*",
  "test/end-to-end/{followers,live-story,never-down,refused-start,several-processes,story}*",
  "test/rules/{facts,limits,rehearse,versions}/**/*",
];
/** What only a server can be asked, with a million rows. */
const large = ["test/database/large-tables*"];
/** Killed processes, which must be the only load. */
const crash = ["test/crash/{crash,takeover}*"];
/** Whole backups, upgrades and the like, which take minutes: before a release. */
const release = [
  "test/crash/{bulk,flood,together}*",
  "test/database/embedded/back-up*",
  "test/database/upgrade*",
  "test/end-to-end/{backup,log-reader,network-file}*",
];

/** Time is simulated there: it stands still while a statement is under way, which shows only on the engine in this process. */
const simulated = ["test/observe/live-hour*"];

const project = (name: string, include: string[], exclude: string[] = []) => ({
  extends: true as const,
  test: {
    name,
    include: include.map((path) => `${path}.test.ts`),
    exclude: exclude.map((path) => `${path}.test.ts`),
  },
});

/** Each file is in one project. Where .ci/services.sh gives servers, there are only those that are tried on servers. */
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
    // Files share a worker's modules: loading them anew for each cost half of the run. No module holds state.
    isolate: false,
    maxWorkers: 3,
    // Only against hanging: tests judge order and outcome, on machines however busy. Benchmarks judge time.
    testTimeout: 900_000,
    hookTimeout: 900_000,
    expect: { poll: { timeout: 60_000 } },
  },
});
