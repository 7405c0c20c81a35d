import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** What needs a server's PostgreSQL and Redis beside the embedded engine: what is held in rows and queues. */
const engines = [
  "test/api/{cached,network-file,operations,store}/**/*",
  "test/api/registry-writer",
  "test/database/*",
  "test/{feed,interface,moderation,observe,outbox,queue,retention,reviews}/**/*",
  "test/rules/{decide,facts,limits,pending,rehearse,versions}/**/*",
  "test/start/{check-connections,health}",
];
/** What is built upon that: tried on servers before a release. */
const servers = [
  "test/{api/http,commands,models}/**/*",
  "test/crash/bulk*",
  "test/database/{large-tables,upgrade}*",
  "test/end-to-end/{followers,live-story,refused-start,several-processes,story}*",
];
/** What only a server can be asked, with a million rows. */
const large = ["test/database/large-tables*"];
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

/** These take longest, in one thread: begun last, they would be waited for alone. */
const longest = [
  "live/fault-hour/fault-hour",
  "rules/measure/goals",
  "rules/links/bad-feeds",
  "observe/live-hour",
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification) =>
      longest.some((name) => moduleId.endsWith(`test/${name}.test.ts`));
    // The sequencer's, which makes a new list; it is no array.
    // oxlint-disable-next-line unicorn/no-array-sort
    const sorted = await super.sort(files);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

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
  ? [project("engines", engines, [...release, ...simulated, ...large]), project("servers", servers)]
  : [
      project("main", ["test/**/*"], [...crash, ...release, ...large]),
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
    sequence: { sequencer: LongestFirst },
    // Only against hanging: tests judge order and outcome, on machines however busy. Benchmarks judge time.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
  },
});
