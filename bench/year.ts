import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { AppError } from "../src/errors.ts";
import { databaseUrl } from "../test/support/database-template.ts";
import { requireServers } from "../test/support/services.ts";
import { createWorld, withSettings } from "../test/support/world.ts";
import { administer } from "./bench-database.ts";
import { row, write } from "./figures.ts";
import { openYear, prepareYear } from "./year-fill.ts";
import { listPaths } from "./year-paths.ts";
import { collectPlans, explainEverything, type Measured } from "./year-plans.ts";
import { yearSeconds } from "./year-rows.ts";

/*
 * Runs what the program does on a year's data: 10 million events, 1 million cases, 2,000 channels. PostgreSQL sends the
 * plan of each statement that it ran. No statement may read a large table from beginning to end, or take over 100 ms.
 */

const { values: options } = parseArgs({
  options: {
    events: { type: "string", default: "10000000" },
    /** Only the parts whose names match. */
    only: { type: "string", default: "" },
    /** A file for all statements with their plans. */
    plans: { type: "string" },
  },
});
const events = Number(options.events);
const only = new RegExp(options.only);
/** A table that may be read as a whole has at most so many rows. */
const maxRows = 10_000;
const maxMs = 100;
/** 80 MB: what nobody reads within 100 ms unless it is in memory. */
const maxPages = 10_000;
const hasSql = /\bsql<|\bsql`|\.(selectFrom|insertInto|updateTable|deleteFrom)\(/;

const { server } = requireServers();
const year = await prepareYear(server, events);
const name = `${year}_run_${process.pid}`;
await administer(server, `create database ${name} template ${year}`);
await explainEverything(server, name);
const database = openYear(databaseUrl(server, name));

try {
  const { rows: tables } = await database.pool.query<{ name: string }>(
    `select relname as name from pg_class where relkind = 'r' and relnamespace in ('castellan'::regnamespace, 'network'::regnamespace)
      and reltuples > ${maxRows}`,
  );
  const { measured, begin } = collectPlans(new Set(tables.map((table) => table.name)));
  const world = await createWorld(undefined, {}, database);
  const bot = withSettings(world, { history: { seconds: yearSeconds, events: 2 * events } });
  const refused: string[] = [];
  let stopped = false;
  // Reports what was run until then.
  process.once("SIGINT", () => (stopped = true));
  for (const [path, run] of await listPaths(bot)) {
    if (stopped || !only.test(path)) continue;
    begin(path);
    const began = performance.now();
    try {
      await run();
    } catch (error) {
      refused.push(`${path}: ${error instanceof AppError ? error.message : String(error)}`.slice(0, 200));
    }
    if (process.env["BENCH_VERBOSE"]) write(`  ${(performance.now() - began).toFixed(0)} ms: ${path}`);
  }
  report([...measured.values()], refused);
} finally {
  await database.close();
  await administer(server, `drop database ${name} with (force)`);
}

function report(all: Measured[], refused: readonly string[]): void {
  const faults = all.filter(({ scans, ms, pages }) => scans.size > 0 || ms > maxMs || pages > maxPages);
  write(`${refused.length} were refused:\n${refused.map((line) => `  ${line}`).join("\n")}`);
  write(
    `Files with SQL that sent nothing:\n${listUnheard(all)
      .map((file) => `  ${file}`)
      .join("\n")}`,
  );
  write(row("statement", "ms", "pages", "runs"));
  for (const one of faults.toSorted((a, b) => b.pages - a.pages)) {
    const scanned = one.scans.size > 0 ? ` READS ALL OF ${[...one.scans].join(", ")}` : "";
    write(row(one.from[0] ?? "?", one.ms.toFixed(1), String(one.pages), String(one.runs)) + scanned);
    write(`  during ${one.during}, from ${one.from.slice(0, 3).join(" < ")}\n  ${one.text.slice(0, 300)}`);
  }
  write(`${all.length} statements, ${faults.length} of them too expensive`);
  if (options.plans) {
    const lines = all.map((one) => JSON.stringify({ ...one, scans: [...one.scans] }));
    writeFileSync(options.plans, `${lines.join("\n")}\n`);
  }
  process.exitCode = faults.length > 0 ? 1 : 0;
}

/** Files of the product with statements, of which none was sent. */
function listUnheard(all: readonly Measured[]): string[] {
  const heard = new Set(all.flatMap(({ from }) => from));
  const root = new URL("..", import.meta.url).pathname;
  return ["src", "commands", "workers"]
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map((file) =>
        join(folder, file),
      ),
    )
    .filter((file) => file.endsWith(".ts") && !file.startsWith("src/database/") && !heard.has(file))
    .filter((file) => hasSql.test(readFileSync(join(root, file), "utf8")));
}
