import { openAsBlob, readdirSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { publishFile } from "./publish-file.ts";

const folder = await mkdtemp(join(tmpdir(), "castellan-test-"));
afterAll(() => rm(folder, { recursive: true }));

test("of two that make a file at the same moment the first counts, and whoever has it open can read it", async () => {
  const file = join(folder, "template.tar");
  publishFile(file, Buffer.from("of the first"));
  const open = await openAsBlob(file);
  publishFile(file, Buffer.from("of the second, a little longer"));
  expect(await open.text()).toBe("of the first");
  expect(readdirSync(folder)).toEqual(["template.tar"]);
});

test("what keeps a file from being made is told, and leaves nothing behind", () => {
  expect(() => publishFile(join(folder, "none", "template.tar"), Buffer.from(""))).toThrow("ENOENT");
  expect(readdirSync(folder)).toEqual(["template.tar"]);
});
