/**
 * Builds dist/pages: each page's script, style sheet and HTML, and the script of the API reference. It is fast, so the
 * tests repeat it. With --watch, repeats it when a file changes.
 */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { build, context } from "esbuild";

const output = "dist/pages";

const settings = {
  entryPoints: [
    { in: "src/console/page/console.tsx", out: "console" },
    { in: "src/console/page/styles.css", out: "console" },
    { in: "src/sandbox/page/sandbox.tsx", out: "sandbox" },
    { in: "src/sandbox/page/styles.css", out: "sandbox" },
    { in: "src/sandbox/page/sign-in.css", out: "sign-in" },
    { in: "src/api/http/approval-page/approve.ts", out: "approve" },
    { in: "src/api/http/approval-page/approve.css", out: "approve" },
    { in: "src/api/http/reference-page/reference.ts", out: "reference" },
  ],
  outdir: output,
  bundle: true,
  minify: true,
  format: "esm",
  target: "es2023",
  jsx: "automatic",
  jsxImportSource: "preact",
  sourcemap: true,
  legalComments: "none",
  logLevel: "warning",
  metafile: true,
};

const copies = {
  "console.html": "src/console/page/index.html",
  "sandbox.html": "src/sandbox/page/index.html",
  "approve.html": "src/api/http/approval-page/index.html",
  "reference.html": "src/api/http/reference-page/index.html",
  "castle.svg": "src/web/kit/castle.svg",
};

/** Returns the paths of the scripts' source files. */
export async function buildPages() {
  await mkdir(output, { recursive: true });
  for (const [name, file] of Object.entries(copies)) await put(name, await readFile(file));
  // Only browsers read this file. Its zod tests whether it may compile code, which our policy for pages forbids, so
  // each page would report a violation.
  const scalar = await readFile("node_modules/@scalar/fastify-api-reference/dist/js/standalone.js", "utf8");
  await put("scalar.js", scalar.replace('return new Function(""),!0', "return!1"));
  const { metafile, outputFiles } = await build({ ...settings, write: false });
  for (const { path, contents } of outputFiles) await put(basename(path), contents);
  return Object.keys(metafile.inputs);
}

/** Writes only changed files, because tests that run at the same time may be reading the others. */
async function put(name, contents) {
  const path = `${output}/${name}`;
  const before = await readFile(path).catch(() => undefined);
  if (!before?.equals(Buffer.from(contents))) await writeFile(path, contents);
}

/** Runs before the tests: see vitest.config.ts. */
export async function setup() {
  await buildPages();
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await buildPages();
  if (process.argv.includes("--watch")) await (await context(settings)).watch();
}
