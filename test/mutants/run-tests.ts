import { readdirSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { prepareTemplate } from "../support/database-template.ts";
import { emptyDatabase } from "./kept-database.ts";
import { beginFile, collected, type CollectedTest } from "./vitest.ts";

/** Milliseconds after which a test has hung: the first time, when threads of its own start, and after that. */
const firstPatience = 60_000;
const timeoutMs = 10_000;
const hung = "hung";

interface StrykerState {
  activeMutant?: string | undefined;
  currentTestId?: string | undefined;
  hitCount?: number | undefined;
  hitLimit?: number | undefined;
  mutantCoverage?: unknown;
}
const namespace = "__stryker__";
const shared = globalThis as unknown as { [namespace]: StrykerState };
const state = (shared[namespace] ??= {});

let strayed: unknown;
process.on("unhandledRejection", (error) => (strayed = error ?? new Error("rejected")));

await prepareTemplate();
for (const path of findTests(
  (process.env["TESTS"] ?? "test/rules,test/retention/prune-history.test.ts").split(","),
)) {
  beginFile(path);
  await import(pathToFileURL(resolve(path)).href + new URL(import.meta.url).search);
}

function findTests(places: string[]): string[] {
  return places.flatMap((place) => {
    if (place.endsWith(".ts")) return [place];
    const names = readdirSync(place, { recursive: true, encoding: "utf8" });
    return names.filter((name) => name.endsWith(".test.ts")).map((name) => `${place}/${name}`);
  });
}

/** Why a test failed; undefined when it did not. */
async function run(test: CollectedTest, limit = timeoutMs): Promise<string | undefined> {
  strayed = undefined;
  let timer: NodeJS.Timeout | undefined;
  const end = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(hung)), limit);
  });
  try {
    await Promise.race([work(test), end]);
    if (strayed !== undefined) throw strayed;
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    clearTimeout(timer);
  }
}

async function work(test: CollectedTest): Promise<void> {
  for (const prepare of test.before) await prepare();
  await test.run();
  for (const finish of test.after) await finish();
}

export async function dryRun() {
  const tests = [];
  for (const test of collected) {
    state.currentTestId = test.id;
    const begun = performance.now();
    const failureMessage = await run(test, firstPatience);
    const took = { id: test.id, name: test.name, timeSpentMs: performance.now() - begun };
    tests.push(failureMessage ? { ...took, status: 1, failureMessage } : { ...took, status: 0 });
  }
  state.currentTestId = undefined;
  return { status: "complete", tests, mutantCoverage: state.mutantCoverage };
}

let broken = false;

export async function runMutant(options: {
  testFilter?: string[];
  hitLimit?: number;
  activeMutant: { id: string; fileName: string };
  mutantActivation: string;
}) {
  // A process that dies is replaced, and the mutant is tried again.
  if (broken) process.exit(1);
  const filter = options.testFilter && new Set(options.testFilter);
  const tests = nearestFirst(options.activeMutant.fileName, filter);
  Object.assign(state, { activeMutant: options.activeMutant.id, hitCount: 0, hitLimit: options.hitLimit });
  const failed = await runUntilOneFails(tests);
  const hits = state.hitCount ?? 0;
  Object.assign(state, { activeMutant: undefined, hitCount: undefined });
  if (!failed) return { status: "survived", nrOfTests: tests.length };
  await emptyDatabase().catch(() => (broken = true));
  if (options.hitLimit !== undefined && hits > options.hitLimit) return { status: "timeout" };
  const isHung = failed.why === hung;
  // What an earlier mutant left behind must not kill this one.
  if (!isHung && !isStatic(options) && (await run(failed.test)) !== undefined) process.exit(1);
  broken ||= isHung;
  return { status: "killed", killedBy: [failed.test.id], failureMessage: failed.why, nrOfTests: 1 };
}

/** Its own modules are broken for good. */
function isStatic({ mutantActivation }: { mutantActivation: string }): boolean {
  return mutantActivation === "static";
}

/** Those of the mutant's folder are the likeliest to notice it. */
function nearestFirst(fileName: string, filter: Set<string> | undefined): CollectedTest[] {
  const folder = `/${basename(dirname(fileName))}/`;
  const tests = collected.filter(({ id }) => filter?.has(id) ?? true);
  return [
    ...tests.filter(({ id }) => id.includes(folder)),
    ...tests.filter(({ id }) => !id.includes(folder)),
  ];
}

async function runUntilOneFails(tests: CollectedTest[]) {
  for (const test of tests) {
    const why = await run(test);
    if (why !== undefined) return { test, why };
  }
  return undefined;
}
