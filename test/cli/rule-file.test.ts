import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { afterAll, expect, it } from "vitest";
import { checkRules } from "../../src/cli/rule-file.ts";
import { rule, ruleFile } from "../support/rules.ts";

const folder = await mkdtemp(join(tmpdir(), "castellan-rules-"));
const path = join(folder, "rules.yaml");
afterAll(() => rm(folder, { recursive: true }));

async function check(file: string): Promise<string> {
  const out = new PassThrough({ encoding: "utf8" });
  await checkRules(file, out);
  return String(out.read());
}

it("says what a good file holds, in the order in which it is asked", async () => {
  await writeFile(path, ruleFile([rule(), rule({ id: "first", priority: 1, mode: "off" })]));
  expect(await check(path)).toBe(
    `${path}: no mistakes. Rules, in their order of evaluation:
  off      first: on cast.created: hide the cast
  enforce  scam: on cast.created: hide the cast
`,
  );
});

it.each([
  [
    "version: 1\nrules: 3",
    `${path}: The rules have a mistake.`,
    [{ path: "line 2, column 8:", message: "rules: must be a list, not a number" }],
  ],
  ["x".repeat(200_000), `${path} is too large: at most 128 kB are read.`, []],
])("refuses %.20s", async (text, message, mistakes) => {
  await writeFile(path, text);
  await expect(check(path)).rejects.toMatchObject({ code: "invalid_file", message, mistakes });
});

it("says that a file is not there", async () => {
  await expect(check(join(folder, "none"))).rejects.toMatchObject({ code: "invalid_file" });
});
