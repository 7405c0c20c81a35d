import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { searchPath } from "../support/program.ts";
import { serveNetwork, type ServedNetwork } from "../support/served-network.ts";
import { createTestClock, createTestContext, createTestNetwork, type TestNetwork } from "../support/world.ts";

const folder = "packages/client";
const read = (path: string) => readFileSync(path, "utf8");
const Versions = z.record(z.string(), z.string());
const Manifest = z.object({
  version: z.string(),
  license: z.string(),
  engines: Versions,
  dependencies: Versions,
  devDependencies: Versions.default({}),
});
const manifestOf = (path: string) => Manifest.parse(JSON.parse(read(`${path}/package.json`)));

it("the client's package exports the client", async () => {
  // By a name that only the run knows, so that the compiler does not need the build.
  const name = "@castellan/client";
  const client = (await import(name)) as Record<string, unknown>;
  expect(Object.keys(client).toSorted()).toEqual(["AppError", "createClient", "mintToken", "pages"]);
});

it("the client's package has Castellan's version, Node and licence, and the libraries that the tests use", () => {
  const { dependencies, ...client } = manifestOf(folder);
  const { version, license, engines, devDependencies } = manifestOf(".");
  expect(client).toMatchObject({ version, license, engines });
  const tested = Object.keys(dependencies).map((name) => [name, `^${devDependencies[name]}`]);
  expect(dependencies).toEqual(Object.fromEntries(tested));
  expect(read(`${folder}/LICENSE`)).toBe(read("LICENSE"));
});

it("the client's package imports its dependencies and no other library", () => {
  const imports = read(`${folder}/dist/index.js`).matchAll(/^import .*"([^"]+)";$/gm);
  const libraries = [...imports].flatMap(([, name = ""]) => (name.startsWith("node:") ? [] : [name]));
  expect([...new Set(libraries)].toSorted()).toEqual(Object.keys(manifestOf(folder).dependencies));
});

describe("the examples of the client's README", () => {
  const sections = read(`${folder}/README.md`).split(/^## /m);
  const examples = sections.flatMap((text) => {
    const [, heading = "", code] = /^(.+)\n[^]*?^```ts\n([^]*?)^```$/m.exec(text) ?? [];
    return code === undefined ? [] : [{ heading, code }];
  });
  const outputs: [heading: string, output: string][] = [
    ["Read", "garden 4\n"],
    ["Act as a user", "[ { fid: 7, channelId: 'garden', bannedAt: "],
    ["Page through a list", "\n1 2020-09-13T12:26:40.000Z\n"],
    ["Handle errors", "404 "],
    ["Name the types", "1 [ 'first tomatoes' ]\n"],
  ];
  let network: TestNetwork;
  let served: ServedNetwork;
  let directory: string;

  beforeAll(async () => {
    const clock = createTestClock(Math.floor(Date.now() / 1000));
    network = await createTestNetwork({ ...(await createTestContext()), clock });
    for (const fid of [3, 7]) await network.seed.account(fid);
    await network.seed.channel("garden", { owner: 1, moderators: [2], members: [3, 4] });
    await network.api.operator.cast({ fid: 3, text: "first tomatoes" });
    served = await serveNetwork(network);
    await served.signer(1);
    // Below the package, so that its name leads to what is built.
    directory = await mkdtemp(join(process.cwd(), folder, "dist/readme-"));
    for (const { heading, code } of examples) {
      await writeFile(fileOf(heading), code.replace("http://127.0.0.1:4680", served.url));
    }
  });
  afterAll(async () => {
    await rm(directory, { recursive: true });
    await served.server.close();
    await network.context.database.close();
  });

  const fileOf = (heading: string) => join(directory, `${heading.replaceAll(" ", "-")}.ts`);
  const run = (...words: string[]) => {
    const env = { PATH: searchPath, FID: "1", APP_KEY: Buffer.alloc(32, "key of 1").toString("hex") };
    return promisify(execFile)(process.execPath, words, { env });
  };

  it("compile", async () => {
    const options = ["--noEmit", "--strict", "--target", "es2023", "--module", "node16", "--types", "node"];
    const files = examples.map(({ heading }) => fileOf(heading));
    const compiled = run("node_modules/typescript/bin/tsc", "--ignoreConfig", ...options, ...files);
    await expect(compiled).resolves.toEqual({ stdout: "", stderr: "" });
  });

  it("are all run here", () => {
    expect(examples.map(({ heading }) => heading)).toEqual(outputs.map(([heading]) => heading));
  });

  it.each(outputs)("%s", async (heading, output) => {
    const { stdout } = await run("--import", import.meta.resolve("tsx"), fileOf(heading));
    expect(stdout).toContain(output);
  });
});
