/** `npm run bench`: all benches in turn, or those of `-- --only api,rules`, with a table of figures. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { row, write, type Result } from "./figures.ts";

const benches = [
  "api",
  "pages",
  "signatures",
  "events",
  "rules",
  "rehearsal",
  "import",
  "commands",
  "stalls",
  "latency",
  "calls",
  "memory",
  "starts",
  "rest",
] as const;

interface Bench {
  bench: string;
  seconds: number;
  /** It exited normally and met its goals. */
  passed: boolean;
  results: Result[];
}

const { values } = parseArgs({ options: { only: { type: "string" } } });
const wanted = values.only?.split(",") ?? benches;
const folder = "dist/bench";
const output = join(folder, "results.json");

async function run(bench: string): Promise<Bench> {
  const lines = join(folder, "results.jsonl");
  await rm(lines, { force: true });
  const began = performance.now();
  const env = { ...process.env, BENCH_RESULTS: lines };
  const child = spawn("npm", ["run", "-s", `bench:${bench}`], {
    env,
    stdio: ["ignore", "inherit", "inherit"],
  });
  const [code] = (await once(child, "exit")) as [number | null];
  const text = await readFile(lines, "utf8").catch(() => "");
  const results = text.split("\n").flatMap((line) => (line ? [JSON.parse(line) as Result] : []));
  return { bench, seconds: Math.round((performance.now() - began) / 1000), passed: code === 0, results };
}

await mkdir(folder, { recursive: true });
const done: Bench[] = [];
for (const bench of wanted) {
  write(`== ${bench}`);
  done.push(await run(bench));
  await writeFile(output, `${JSON.stringify(done, undefined, 2)}\n`);
}
write(`\n${row("", "figure", "goal")}`);
for (const { bench, seconds, passed, results } of done) {
  write(`${bench} (${seconds} s)${passed ? "" : ": MISSED, or broke off"}`);
  for (const { name, value, goal, met } of results) {
    const sign = "least" in goal ? `≥ ${goal.least}` : `≤ ${goal.most}`;
    const shown = value >= 100 ? value.toFixed(0) : value.toFixed(2);
    write(`  ${name.padEnd(56)}${shown.padStart(10)}${sign.padStart(10)}${met ? "" : "  MISSED"}`);
  }
}
write(`\n${output}`);
process.exitCode = done.every(({ passed }) => passed) ? 0 : 1;
