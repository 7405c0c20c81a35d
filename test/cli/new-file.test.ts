import { EventEmitter, once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { afterAll, expect, test } from "vitest";
import { writeNew } from "../../src/cli/new-file.ts";

const folder = mkdtempSync(join(tmpdir(), "castellan-files-"));
afterAll(() => rmSync(folder, { recursive: true }));

test("of two writers of one file the second is refused, and the first one's is whole", async () => {
  const file = join(folder, "backup.tar.gz");
  const steps = new EventEmitter();
  const begun = once(steps, "begun");
  const refused = once(steps, "refused");
  async function* slowly() {
    yield "first ";
    steps.emit("begun");
    await refused;
    yield "and whole";
  }
  const out = new PassThrough();
  const first = writeNew(file, slowly(), out);
  await begun;
  await expect(writeNew(file, ["second"], out)).rejects.toMatchObject({
    code: "invalid_file",
    message: expect.stringContaining("backup.tar.gz.unfinished exists"),
  });
  steps.emit("refused");
  await first;
  expect(readFileSync(file, "utf8")).toBe("first and whole");
  expect(readdirSync(folder)).toEqual(["backup.tar.gz"]);
});
