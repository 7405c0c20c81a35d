/**
 * `npm run live:proof`: puts faults back into a copy of the project, one after the other, and shows that the tests notice
 * each. `-- --only H1,call-budget` tries those of these points, or files, alone; `-- --write` writes docs/explain/live-proof.md.
 */
import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { parseArgs, promisify } from "node:util";
import { applyFault, copyProject, type Copy } from "../support/broken-copy.ts";
import { forgetServers, hasServer } from "../support/services.ts";
import type { Fault, Point } from "./fault.ts";
import { pagePath, renderPage } from "./page.ts";
import { points } from "./points.ts";
import { isOf, openRunner, type Ran, type Runner } from "./run-named.ts";

interface Task {
  point: Point;
  fault: Fault;
}

const { values } = parseArgs({ options: { only: { type: "string" }, write: { type: "boolean" } } });
const only = values.only?.split(",");
const tasks = points
  .flatMap((point) => point.faults.map((fault): Task => ({ point, fault })))
  .filter(
    ({ point, fault }) =>
      !only || only.includes(point.id) || only.some((word) => `${fault.file} ${fault.broken}`.includes(word)),
  );
if (tasks.some(({ fault }) => fault.needsServer) && !hasServer) {
  throw new Error("Some faults need a PostgreSQL server: .ci/services.sh npm run live:proof");
}

// Before anything runs: words that are gone prove nothing any more.
for (const { fault } of tasks) applyFault(await readFile(fault.file, "utf8"), fault);

let failures = 0;
const say = (line: string) => process.stdout.write(`${line}\n`);

/** Programs that tests start are built from the source. */
const isBuilt = (file: string) => /^test\/(end-to-end|cli)\//.test(file);

/** Each must pass without the fault: else its failing says nothing. */
async function tryUnbroken(runner: Runner, own: readonly Task[]): Promise<void> {
  const tests: Record<string, string[]> = {};
  for (const { fault } of own) {
    for (const [file, names] of Object.entries(fault.tests)) (tests[file] ??= []).push(...names);
  }
  const ran = await runner.run(tests);
  for (const [file, names] of Object.entries(tests)) {
    for (const name of new Set(names)) {
      const these = ran.filter((one) => one.file === file && isOf(one.name, name));
      if (these.length > 0 && !these.some(({ failed }) => failed)) continue;
      failures += 1;
      const problem = these.find(({ failed }) => failed)?.problem;
      say(
        `NO PROOF  ${file}: ${name}: ${problem ? `fails without a fault: ${problem}` : "there is no such test"}`,
      );
    }
  }
}

async function tryFault(copy: Copy, runner: Runner, { point, fault }: Task): Promise<void> {
  const build = async () => {
    if (!Object.keys(fault.tests).some(isBuilt)) return;
    await promisify(execFile)(process.execPath, ["build.js"], { cwd: copy.root });
  };
  const began = performance.now();
  const ran = await copy.withFault(fault, async () => {
    await build();
    return runner.run(fault.tests, fault.file);
  });
  await build();
  const unnoticed = Object.entries(fault.tests).flatMap(([file, names]) =>
    names.filter((name) => !ran.some((one) => one.failed && one.file === file && isOf(one.name, name))),
  );
  if (unnoticed.length > 0) failures += 1;
  const took = ((performance.now() - began) / 1000).toFixed(1);
  say(
    `${unnoticed.length > 0 ? "UNNOTICED" : "noticed  "} ${point.id.padEnd(3)} ${fault.broken} (${took} s)`,
  );
  for (const { file, name, problem } of firstOf(ran, fault))
    say(`            ${file}: ${name}: ${problem ?? ""}`);
  for (const name of unnoticed) say(`            passes all the same: ${name}`);
}

/** One failure of each test that was named, for people to see that it is about the fault. */
function firstOf(ran: readonly Ran[], { tests }: Fault): Ran[] {
  return Object.entries(tests).flatMap(([file, names]) =>
    names.flatMap((name) => ran.find((one) => one.failed && one.file === file && isOf(one.name, name)) ?? []),
  );
}

/** Tries the tests of `own` without a fault, then takes faults from the queue until it is empty. */
async function tryAll(project: "main" | "engines", own: readonly Task[], queue: Task[]): Promise<void> {
  if (own.length === 0) return;
  const copy = await copyProject();
  const runner = await openRunner(copy.root, project);
  try {
    await tryUnbroken(runner, own);
    for (let task = queue.shift(); task; task = queue.shift()) await tryFault(copy, runner, task);
  } finally {
    await runner.close();
    await copy.remove();
  }
}

const onServers = tasks.filter(({ fault }) => fault.needsServer);
await tryAll("engines", onServers, [...onServers]);
forgetServers();
// Two side by side, each in a copy of its own.
const others = tasks.filter(({ fault }) => !fault.needsServer);
const queue = [...others];
const halves = [0, 1].map((half) => others.filter((_, index) => index % 2 === half));
await Promise.all(halves.map((half) => tryAll("main", half, queue)));

say(`\n${tasks.length} faults, ${failures} not proven, in ${Math.round(performance.now() / 1000)} s`);
if (values.write && failures === 0 && !only) await writeFile(pagePath, renderPage());
process.exit(failures === 0 ? 0 : 1);
