/**
 * Builds dist: the program and its threads as bundles, the pages, the schema of rule files, the licences of
 * the bundled packages, and the files of an empty database, which a first start unpacks.
 */
import { execFile } from "node:child_process";
import { readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { promisify } from "node:util";
import { build } from "esbuild";
import { buildPages } from "./build-pages.js";

const output = "dist/src";
await rm(output, { recursive: true, force: true });

const { metafile } = await build({
  bundle: true,
  platform: "node",
  format: "esm",
  target: "node20.19",
  sourcemap: true,
  sourcesContent: false,
  legalComments: "external",
  // Smaller files, because every start reads all of them.
  minifyWhitespace: true,
  lineLimit: 160,
  logLevel: "warning",
  metafile: true,
  // Code with a thread or process of its own is next to the code that starts it: see src/entry-point.ts.
  entryPoints: [
    "src/main.ts",
    "src/start/create-empty-database.ts",
    "src/database/embedded/run-engine.ts",
    "src/rules/threads/rule-thread.ts",
    "src/drawing/draw-thread.ts",
  ],
  outdir: output,
  entryNames: "[name]",
  splitting: true,
  // The first three need files next to their own; the others are optional.
  external: [
    "@electric-sql/pglite",
    "tiny-secp256k1",
    "piscina",
    "pg-native",
    "zlib-sync",
    "bufferutil",
    "utf-8-validate",
  ],
  // For CommonJS libraries.
  banner: {
    js: 'import { createRequire as requireFrom } from "node:module"; const require = requireFrom(import.meta.url);',
  },
});

const inPages = await buildPages();

await writeFile(
  "dist/THIRD-PARTY.txt",
  await describeLicences([
    ...Object.values(metafile.outputs).flatMap(({ inputs }) => Object.keys(inputs)),
    ...inPages,
    "node_modules/@scalar/fastify-api-reference/",
  ]),
);

const run = (...words) => promisify(execFile)(process.execPath, words);
const { stdout: schema } = await run(`${output}/main.js`, "rules", "schema");
await writeFile("dist/rules.schema.json", schema);

const emptyDatabase = "dist/empty-database.tar.gz";
// npm writes a package's manifest when installing it.
const madeOf = [
  "node_modules/@electric-sql/pglite/package.json",
  "node_modules/bullmq/package.json",
  "src/start/create-empty-database.ts",
  ...(await filesOf("src/database/migrations")),
];
const changes = await Promise.all(madeOf.map(changedAt));
if ((await changedAt(emptyDatabase)) < Math.max(...changes)) {
  await run(`${output}/create-empty-database.js`, emptyDatabase);
}

/** The licence texts of the packages in these files, each text once. */
async function describeLicences(files) {
  const folders = files.flatMap((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file) ?? []);
  const packages = new Map();
  for (const folder of new Set(folders.toSorted((one, other) => one.localeCompare(other)))) {
    const { name, version, license, repository } = JSON.parse(
      await readFile(`${folder}/package.json`, "utf8"),
    );
    const names = (await readdir(folder)).filter((one) => /^(licen[cs]e|notice|copying)\b/i.test(one));
    const texts = await Promise.all(names.map((one) => readFile(`${folder}/${one}`, "utf8")));
    const text =
      texts.map((one) => one.trim()).join("\n\n") ||
      `The package contains no licence text: ${repository?.url ?? repository}`;
    packages.set(text, [...(packages.get(text) ?? []), `${name} ${version} (${license})`]);
  }
  const parts = [...packages].map(([text, names]) => `${names.join("\n")}\n\n${text}\n`);
  return `Castellan's bundles contain these packages:\n\n${parts.join(`\n${"-".repeat(72)}\n\n`)}`;
}

async function filesOf(folder) {
  return (await readdir(folder)).map((name) => `${folder}/${name}`);
}

/** In milliseconds; 0 if the file does not exist. */
async function changedAt(file) {
  const stats = await stat(file).catch(() => undefined);
  return stats?.mtimeMs ?? 0;
}
