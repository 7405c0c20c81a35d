import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { connectDirectory } from "../../../src/database/connect.ts";
import { startEngineThread } from "../../../src/database/embedded/engine-thread.ts";

const run = promisify(execFile);

test(
  "a thread that was begun before opens the files, and whoever waits is told when",
  { timeout: 120_000 },
  async () => {
    const directory = await mkdtemp(join(tmpdir(), "castellan-test-"));
    const thread = startEngineThread();
    const order: string[] = [];
    const opening = connectDirectory(directory, { thread, onOpening: () => order.push("told") });
    const database = await opening;
    order.push("open");
    expect(order).toEqual(["told", "open"]);
    const { rows } = await database.pool.query("select name from castellan.migrations limit 1");
    expect(rows).toHaveLength(1);
    await database.close();
    expect((await thread.ended).message).toMatch(/exited/);
    await rm(directory, { recursive: true });
  },
);

test("a thread that nobody uses keeps no process alive", { timeout: 60_000 }, async () => {
  const file = pathToFileURL(
    join(import.meta.dirname, "../../../src/database/embedded/engine-thread.ts"),
  ).href;
  const script = `import { startEngineThread } from ${JSON.stringify(file)}; startEngineThread(); console.log("begun");`;
  const { stdout } = await run(process.execPath, ["--import", "tsx", "--input-type=module", "-e", script], {
    cwd: join(import.meta.dirname, "../../.."),
    timeout: 50_000,
  });
  expect(stdout).toBe("begun\n");
});
