import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { checkRules } from "../../src/rules/check-rules.ts";
import { rule, ruleFile } from "../support/rules.ts";

const folder = await mkdtemp(join(tmpdir(), "castellan-rules-"));
const path = join(folder, "rules.yaml");
afterAll(() => rm(folder, { recursive: true }));

it("says what a good file holds, in the order in which it is asked", async () => {
  await writeFile(path, ruleFile([rule(), rule({ id: "first", priority: 1, mode: "off" })]));
  expect(await checkRules(path)).toBe(
    [
      `${path}: no mistakes, 2 rules, in this order:`,
      "off      first: on cast.created: hide the cast",
      "enforce  scam: on cast.created: hide the cast",
    ].join("\n"),
  );
});

it.each([
  ["version: 1\nrules: 3", { mistakes: [{ path: "line 2, column 8" }] }],
  ["x".repeat(200_000), { message: `${path} is too large: at most 128 kB are read.` }],
])("refuses %.20s", async (text, error) => {
  await writeFile(path, text);
  await expect(checkRules(path)).rejects.toMatchObject({ code: "invalid_file", ...error });
});

it("says that a file is not there", async () => {
  await expect(checkRules(join(folder, "none"))).rejects.toMatchObject({ code: "invalid_file" });
});
