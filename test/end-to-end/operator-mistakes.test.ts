import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { parseConfig } from "../../src/config.ts";
import { silentLog } from "../../src/log.ts";
import { createHealth } from "../../src/start/health.ts";
import { serveHealth } from "../../src/start/serve-health.ts";
import { type DataDirectory, makeDataDirectory, runProgram } from "../support/program.ts";

let home: DataDirectory;
beforeAll(async () => {
  home = await makeDataDirectory();
});
afterAll(() => home.remove());

/** Exit code and output of a command that ends by itself. */
async function run(words: string[], settings: Record<string, string> = {}): Promise<[number, string]> {
  const program = runProgram(words, { DATA_DIR: join(home.directory, "unused"), ...settings });
  return [await program.exit, program.output()];
}

const slow = { timeout: 60_000 };

it("doctor passes on why a running instance does not examine itself", slow, async () => {
  const served = await serveHealth(parseConfig({ PORT: "0" }), createHealth(), {
    isReady: () => false,
    log: silentLog,
  });
  const { port } = new URL(served.origin);
  const [code, said] = await run(["doctor"], { PORT: port, OPERATOR_TOKEN: "o".repeat(32) });
  await served.close();
  expect(said).toContain(`the one at ${served.origin} says: Castellan is starting.`);
  expect(code).toBe(0);
});

it("an empty file, a folder and a server's name are named as what is wrong", slow, async () => {
  const empty = join(home.directory, "empty.json");
  await writeFile(empty, "");
  expect(await run(["network", "import", empty])).toEqual([1, `castellan: ${empty} is empty.\n`]);
  expect(await run(["restore", home.directory])).toEqual([
    1,
    `castellan: ${home.directory} is a directory. Give a file.\n`,
  ]);
  const [code, said] = await run(["export", "cases", "--server", "My server"]);
  expect(code).toBe(2);
  expect(said).toContain("It must be Discord's id of the server");
});
