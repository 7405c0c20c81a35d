/**
 * `npm run chaos:proof`: shows that rows of `npm run chaos` can be red. Of each fault that names a protection, removes the
 * protection from a copy of the project, and injects the fault there. `-- --only NAME,…` tries these faults alone;
 * `-- --slower 3` is passed on.
 */
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { parseArgs, promisify } from "node:util";
import { applyFault, copyProject, type Copy, type Replacement } from "../support/broken-copy.ts";
import type { Fault } from "./fault.ts";
import { findFaults } from "./faults/index.ts";

const { values } = parseArgs({
  options: { only: { type: "string" }, slower: { type: "string", default: "1" } },
});
const write = (line: string) => void process.stdout.write(`${line}\n`);
const tasks = findFaults(values.only).filter(({ without }) => without !== undefined);

/** Before anything runs: words that are gone prove nothing any more. */
for (const { file, ...words } of tasks.flatMap(({ without }) => without?.patches ?? [])) {
  applyFault(await readFile(file, "utf8"), { file, ...words });
}

async function withPatches<T>(
  copy: Copy,
  [first, ...rest]: readonly Replacement[],
  run: () => Promise<T>,
): Promise<T> {
  return first ? copy.withFault(first, () => withPatches(copy, rest, run)) : run();
}

/** The lines of its row. */
async function inject(copy: Copy, { name }: Fault): Promise<string[]> {
  const words = ["--import", "tsx", "test/chaos/chaos.ts", "--only", name, "--slower", values.slower];
  const child = spawn(process.execPath, words, {
    cwd: copy.root,
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (output += text));
  await once(child, "close");
  const lines = output.split("\n");
  const at = lines.findIndex((line) => line.includes(` ${name} `));
  const rest = at < 0 ? [] : lines.slice(at);
  const end = rest.findIndex((line) => line === "");
  return rest.slice(0, end);
}

let unnoticed = 0;
const copy = await copyProject();
try {
  for (const fault of tasks) {
    const row = await withPatches(copy, fault.without?.patches ?? [], async () => {
      await promisify(execFile)(process.execPath, ["build.js"], { cwd: copy.root });
      return inject(copy, fault);
    });
    const isRed = row[0]?.startsWith("RED") ?? false;
    if (!isRed) unnoticed += 1;
    write(`${isRed ? "red as it must be" : "NOT RED"}  without: ${fault.without?.protection ?? ""}`);
    for (const line of row) write(`  ${line}`);
  }
} finally {
  await copy.remove();
}
write(`\n${tasks.length - unnoticed} of ${tasks.length} rows are red without their protection`);
process.exit(unnoticed === 0 ? 0 : 1);
