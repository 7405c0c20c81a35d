import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, truncate, utimes } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, it } from "vitest";

const dist = fileURLToPath(new URL("../../dist", import.meta.url));
const slow = { timeout: 60_000 };
let version: string;
let copies: string;
/** `load.ts`, built: what runs TypeScript turns on source maps. */
let loader: string;

beforeAll(async () => {
  await mkdir(dist, { recursive: true });
  // Within the package, where it finds what it is not made of.
  copies = await mkdtemp(join(dist, "copy-"));
  loader = join(copies, "load.js");
  const source = fileURLToPath(new URL("./load.ts", import.meta.url));
  await build({ entryPoints: [source], outfile: loader, bundle: true, platform: "node", format: "esm" });
  const manifest = await readFile(join(dist, "../package.json"), "utf8");
  ({ version } = JSON.parse(manifest) as { version: string });
});

afterAll(() => rm(copies, { recursive: true }));

async function load(folder: string, flags: string[] = [], ...rest: string[]): Promise<string> {
  const url = pathToFileURL(join(folder, "program.cjs")).href;
  const { stdout } = await promisify(execFile)(process.execPath, [...flags, loader, url, ...rest]);
  return stdout.trim();
}

/** The built program in a folder of its own. */
async function copyProgram(): Promise<{ folder: string; code: string }> {
  const folder = await mkdtemp(join(copies, "program-"));
  const files = (await readdir(join(dist, "src"))).filter((name) => /^program\.cjs(\..*cache)?$/.test(name));
  for (const name of files)
    await cp(join(dist, "src", name), join(folder, name), { preserveTimestamps: true });
  return { folder, code: join(folder, files.find((name) => name.endsWith(".cache")) ?? "") };
}

it("takes the code that the build kept, as npm start and as castellan run it", slow, async () => {
  const { scripts } = JSON.parse(await readFile(join(dist, "../package.json"), "utf8")) as {
    scripts: { start: string };
  };
  const flags = scripts.start.split(" ").filter((word) => word.startsWith("--"));
  expect(flags).toContain("--max-semi-space-size=4");
  expect(await load(join(dist, "src"), flags)).toBe(`kept ${version}`);
  expect(await load(join(dist, "src"))).toBe(`kept ${version}`);
});

it.each<[string, (copy: { folder: string; code: string }) => Promise<unknown>, string[]]>([
  ["other flags are given", async () => {}, ["--max-old-space-size=1000"]],
  ["nothing was kept", ({ code }) => rm(code), []],
  ["what was kept is cut off", ({ code }) => truncate(code, 1_000_000), []],
  ["what was kept is empty", ({ code }) => truncate(code, 0), []],
  [
    "the program was changed since",
    ({ folder }) => utimes(join(folder, "program.cjs"), new Date(), new Date(Date.now() + 60_000)),
    [],
  ],
])("compiles the program anew where %s", slow, async (_, change, flags) => {
  const copy = await copyProgram();
  expect(await load(copy.folder)).toBe(`kept ${version}`);
  await change(copy);
  expect(await load(copy.folder, flags)).toBe(`compiled ${version}`);
});

it("names the sources' lines where source maps are asked for", slow, async () => {
  const stack = await load(join(dist, "src"), ["--enable-source-maps"], "fails");
  expect(stack).toMatch(/at parseConfig \(.*src\/config\.ts:\d+/);
});

it("keeps code that the next one takes", slow, async () => {
  const { folder, code } = await copyProgram();
  await rm(code);
  expect(await load(folder, [], "keeps")).toBe(`compiled ${version}`);
  expect(await load(folder)).toBe(`kept ${version}`);
  expect((await readdir(folder)).length).toBe(2);
});
