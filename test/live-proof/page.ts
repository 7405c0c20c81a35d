import { readFileSync } from "node:fs";
import { readSourceFiles } from "../support/source-files.ts";
import type { Fault, Point } from "./fault.ts";
import { points } from "./points.ts";

export const pagePath = "docs/explain/live-proof.md";

const sections: readonly [title: string, ids: RegExp][] = [
  ["Hub (snapchain)", /^H/],
  ["Client API", /^C/],
  ["Discord", /^D/],
  ["Faults found in reviews", /^R/],
];

/** Clients of hubs that others wrote, and the protocol's own library. */
const independent = ["@standard-crypto/farcaster-js-hub-rest", "@neynar/nodejs-sdk", "@farcaster/core"];

/** The page as it is where every fault is noticed. */
export function renderPage(): string {
  const faults = points.flatMap((point) => point.faults);
  return `# Faults against the live services

The actual behaviour of the live network's services and of Discord was read from their own sources, point by point. For each point this
page lists Castellan's behaviour, the faults that were injected into its source one at a time, and the tests that detect them: all
${faults.length} faults. \`npm run live:proof\` repeats this in a copy of the source; with \`-- --write\` it writes this page. The faults are in
\`test/live-proof/faults\`.

${sections
  .map(([title, ids]) =>
    renderSection(
      title,
      points.filter(({ id }) => ids.test(id)),
    ),
  )
  .join("\n\n")}

## Independent clients

These development dependencies read the embedded hub over HTTP, or verify its data.

${renderTable(
  ["package", "version", "reads and verifies", "file"],
  independent.flatMap((name) => checksOf(name).map(([check, file]) => [name, versionOf(name), check, file])),
)}
`;
}

function renderSection(title: string, own: readonly Point[]): string {
  const rows = own.flatMap(({ id, holds, faults }) =>
    faults.map((fault, index) => [
      ...(index === 0 ? [id, holds] : ["", ""]),
      `${fault.broken} (\`${fault.file}\`)`,
      nameTests(fault),
      "yes",
    ]),
  );
  const head = ["point", "behaviour", "injected fault", "failing tests", "detected"];
  return `## ${title}\n\n${renderTable(head, rows)}`;
}

function nameTests({ tests, needsServer }: Fault): string {
  const files = Object.entries(tests).map(([file, names]) => `\`${file}\`: ${names.join("; ")}`);
  return files.join("<br>") + (needsServer ? " (on PostgreSQL)" : "");
}

function renderTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, head.map(() => "---"), ...rows];
  return lines
    .map((cells) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`)
    .join("\n");
}

function versionOf(name: string): string {
  const { devDependencies } = JSON.parse(readFileSync("package.json", "utf8")) as {
    devDependencies: Record<string, string>;
  };
  return devDependencies[name] ?? "";
}

/** By their names: the tests in a group that is called by the package; where none is, all of a file that imports it. */
function checksOf(name: string): [check: string, file: string][] {
  const tests = readSourceFiles("test").filter(({ path }) => path.endsWith(".test.ts"));
  const files = tests.filter(({ imports }) => imports.some(({ target }) => target === name));
  return files.flatMap(({ path }) =>
    listChecks(path, name).map((check): [string, string] => [check, `\`${path}\``]),
  );
}

const line = /^ *(describe|it|test)(?:\.each\(.*\))?\(\s*"((?:[^"\\]|\\.)*)"/gm;

function listChecks(path: string, name: string): string[] {
  const found = [...readFileSync(path, "utf8").matchAll(line)].map(([, kind, title = ""]) => ({
    kind,
    title,
  }));
  const groups = new Set(independent);
  const isGrouped = found.some(({ kind, title }) => kind === "describe" && groups.has(title));
  let group = "";
  const checks: string[] = [];
  for (const { kind, title } of found) {
    if (kind === "describe") group = title;
    else if (!isGrouped || group === name) checks.push(isGrouped ? title : `${group} ${title}`);
  }
  return checks;
}
