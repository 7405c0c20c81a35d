import { defineConfig } from "vitest/config";

/** What needs a server's PostgreSQL and Redis beside the embedded engine: what is held in rows and queues. */
const engines = [
  "test/api/{cached,network-file,operations,store}/**/*",
  "test/api/registry-writer",
  "test/database/*",
  "test/{feed,interface,moderation,observe,queue,retention}/**/*",
  "test/rules/{decide,facts,limits,pending,rehearse,review,versions}/**/*",
];
/** What is built upon that: tried on servers before a release. */
const servers = [
  "test/{api/http,commands,models}/**/*",
  "test/crash/bulk*",
  "test/database/upgrade*",
  "test/end-to-end/{followers,live-story,refused-start,story}*",
];
/** Killed processes, one file beside the other. */
const crash = ["test/crash/{bulk,crash,flood,takeover}*"];
/** Whole backups, upgrades and the like, which take minutes: before a release. */
const release = [
  "test/crash/together*",
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
  ? [project("engines", engines, [...release, ...simulated]), project("servers", servers)]
  : [
      project("main", ["test/**/*"], [...crash, ...release]),
      project("crash", crash),
      project("release", release),
    ];

export default defineConfig({
  test: {
    projects,
    globalSetup: ["test/support/global-setup.ts"],
    pool: "forks",
    // Files share a worker's modules: loading them anew for each cost half of the run. No module holds state.
    isolate: false,
    maxWorkers: 3,
    testTimeout: 20_000,
    hookTimeout: 30_000,
    // What a busy machine, or a room's rate limit, delays by a second is not wrong.
    expect: { poll: { timeout: 10_000 } },
  },
});
