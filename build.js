/**
 * Makes dist: the program in one file, for each start loads it, and a thousand modules one by one take three times as long; what
 * V8 makes of it; the client; the script of the API reference; and the files of an empty database, which a first start unpacks.
 */
import { execFile } from "node:child_process";
import { readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { promisify } from "node:util";
import { build } from "esbuild";

const output = "dist/src";
await rm(output, { recursive: true, force: true });

/** What is said of wrong input is said by us, in English: zod's own words in fifty languages are half of its code. */
const englishOnly = {
  name: "english-only",
  setup({ onLoad }) {
    onLoad({ filter: /[/\\]zod[/\\]v4[/\\]locales[/\\]index\.js$/ }, () => ({
      contents: 'export { default as en } from "./en.js";',
    }));
  },
};

const settings = {
  plugins: [englishOnly],
  bundle: true,
  platform: "node",
  format: "esm",
  target: "node20.19",
  outdir: output,
  sourcemap: true,
  sourcesContent: false,
  // The source stays in memory while the program runs: half as much, and none of it needs two bytes a character.
  minifyWhitespace: true,
  minifySyntax: true,
  lineLimit: 160,
  legalComments: "external",
  logLevel: "warning",
};

// These find files of their own beside themselves; the others are looked for and not needed.
const external = [
  "@electric-sql/pglite",
  "tiny-secp256k1",
  "piscina",
  "pg-native",
  "zlib-sync",
  "bufferutil",
  "utf-8-validate",
];

/** Loaded by src/built/load-program.ts. */
await build({
  ...settings,
  entryPoints: ["src/built/program.ts"],
  outdir: undefined,
  outfile: `${output}/program.cjs`,
  format: "cjs",
  external,
  // Code that was kept knows no import().
  supported: { "dynamic-import": false },
  banner: { js: 'const importMetaUrl = require("node:url").pathToFileURL(__filename).href;' },
  define: { "import.meta.url": "importMetaUrl" },
  // What is resolved by import.meta is resolved only from sources.
  logOverride: { "empty-import-meta": "silent" },
});

const builtProgram = {
  name: "built-program",
  setup({ onResolve, resolve }) {
    onResolve({ filter: /\/cli\/run-main\.ts$/ }, ({ resolveDir }) =>
      resolve("./built/run-main.ts", { resolveDir, kind: "dynamic-import" }),
    );
  },
};

await build({
  ...settings,
  plugins: [...settings.plugins, builtProgram],
  // What runs in a thread or process of its own lies beside what starts it: see src/entry-point.ts.
  entryPoints: [
    "src/main.ts",
    "src/built/make-code-cache.ts",
    "src/start/create-empty-database.ts",
    "src/database/embedded/run-engine.ts",
    "src/rules/threads/rule-thread.ts",
    "src/drawing/draw-thread.ts",
  ],
  entryNames: "[name]",
  splitting: true,
  external,
  // For the libraries that are CommonJS.
  banner: {
    js: 'import { createRequire as requireFrom } from "node:module"; const require = requireFrom(import.meta.url);',
  },
});

await build({
  ...settings,
  entryPoints: ["src/client/index.ts"],
  outdir: `${output}/client`,
  packages: "external",
});

// The API reference takes one file of the package, and only browsers read it. The zod in there asks first whether it may compile
// code; our policy for pages forbids that, and each page would report a violation.
const scalar = await readFile("node_modules/@scalar/api-reference/dist/browser/standalone.js", "utf8");
await writeFile("dist/scalar.js", scalar.replace('return new Function(""),!0', "return!1"));

const emptyDatabase = "dist/empty-database.tar.gz";
// npm writes a package's manifest when it installs it.
const madeOf = [
  "node_modules/@electric-sql/pglite/package.json",
  "node_modules/bullmq/package.json",
  "src/start/create-empty-database.ts",
  ...(await filesOf("src/database/migrations")),
];
const changes = await Promise.all(madeOf.map(changedAt));
if ((await changedAt(emptyDatabase)) < Math.max(...changes)) {
  await run("--liftoff-only", `${output}/create-empty-database.js`, emptyDatabase);
}
await run(`${output}/make-code-cache.js`);

async function run(...words) {
  await promisify(execFile)(process.execPath, words);
}

async function filesOf(folder) {
  return (await readdir(folder)).map((name) => `${folder}/${name}`);
}

/** In milliseconds; 0 for a file that is not there. */
async function changedAt(file) {
  const stats = await stat(file).catch(() => undefined);
  return stats?.mtimeMs ?? 0;
}
