/**
 * `npm run lines` prints the lines of code per folder. With `--check` it fails when one of the sums in `.ci/lines.json` is
 * exceeded; a commit that must raise a number says why in its body.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { z } from "zod";

interface CodeFile {
  path: string;
  lines: number;
}

const root = join(import.meta.dirname, "../..");
const isCode = /\.(tsx?|js|css|html)$/;
const isPage = /\.(tsx|js|css|html)$/;

const files = ["src", "commands", "workers", "test", "bench"].flatMap(listFiles);
const isBelow =
  (...folders: string[]) =>
  ({ path }: CodeFile) =>
    folders.some((folder) => path.startsWith(`${folder}/`));
const sandbox = files.filter(isBelow("src/sandbox"));
const sums: Record<string, number> = {
  product: sumOf(files.filter(isBelow("src", "commands", "workers"))) - sumOf(sandbox),
  sandbox: sumOf(sandbox),
  test: sumOf(files.filter(isBelow("test"))),
  bench: sumOf(files.filter(isBelow("bench"))),
};

print("folder", "code", "pages");
for (const folder of [...new Set(files.map(folderOf))].toSorted()) {
  const inFolder = files.filter((file) => folderOf(file) === folder);
  const pages = sumOf(inFolder.filter(({ path }) => isPage.test(path)));
  print(folder, sumOf(inFolder) - pages, pages);
}
print("");
for (const [name, lines] of Object.entries(sums)) print(name, lines);

if (process.argv.includes("--check")) {
  const maxima = z
    .record(z.string(), z.number())
    .parse(JSON.parse(readFileSync(join(root, ".ci/lines.json"), "utf8")));
  for (const [name, max] of Object.entries(maxima)) {
    const lines = sums[name] ?? 0;
    if (lines <= max) continue;
    process.exitCode = 1;
    process.stderr.write(
      `${name}: ${lines} lines, but .ci/lines.json allows ${max}. Remove some, or raise it and say why in the commit.\n`,
    );
  }
}

function listFiles(folder: string): CodeFile[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && isCode.test(entry.name))
    .map((entry) => {
      const file = join(entry.parentPath, entry.name);
      return { path: relative(root, file), lines: readFileSync(file, "utf8").split("\n").length - 1 };
    });
}

/** `src/feed`, `test/feed`; elsewhere the first folder. */
function folderOf({ path }: CodeFile): string {
  const depth = /^(src|test)\/.*\//.test(path) ? 2 : 1;
  return path.split("/").slice(0, depth).join("/");
}

function sumOf(counted: CodeFile[]): number {
  return counted.reduce((sum, { lines }) => sum + lines, 0);
}

function print(name: string, ...columns: (string | number)[]): void {
  const cells = columns.map((column) => column.toLocaleString("en").padStart(9));
  process.stdout.write(`${name.padEnd(20)}${cells.join("")}\n`);
}
