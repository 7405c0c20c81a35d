/** `npm run conformance:proof`: breaks ten rules, one after the other, in a copy, and shows which rows turn red. */
// @ts-nocheck

import { cp, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BrokenRule, brokenRules } from "./broken-rules.ts";
import { runRows } from "./run-rows.ts";

const copied = ["src", "commands", "workers", "test", "package.json", "tsconfig.json", "vitest.config.ts"];

async function redRows({ file, from, to, rows }: BrokenRule): Promise<string[]> {
  const root = await mkdtemp(join(tmpdir(), "castellan-proof-"));
  try {
    for (const name of copied) await cp(join(process.cwd(), name), join(root, name), { recursive: true });
    await symlink(join(process.cwd(), "node_modules"), join(root, "node_modules"));
    const source = await readFile(join(root, file), "utf8");
    if (source.split(from).length !== 2) throw new Error(`${file} does not have once: ${from}`);
    await writeFile(join(root, file), source.replace(from, to));
    const found = await runRows(root, { files: [rows] });
    return found.filter(({ state }) => state === "failed").map(({ group, title }) => `${group} · ${title}`);
  } finally {
    await rm(root, { recursive: true });
  }
}

let unnoticed = 0;
for (const broken of brokenRules) {
  const red = await redRows(broken);
  if (red.length === 0) unnoticed += 1;
  const shown = red.slice(0, 4).map((row) => `    red: ${row}\n`);
  const more = red.length > 4 ? `    and ${red.length - 4} more\n` : "";
  process.stdout.write(
    `${red.length > 0 ? "noticed  " : "UNNOTICED"} ${broken.rule}\n${shown.join("")}${more}`,
  );
}
process.stdout.write(`\n${brokenRules.length - unnoticed} noticed, ${unnoticed} not\n`);
process.exit(unnoticed === 0 ? 0 : 1);
