import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { afterAll, expect, test } from "vitest";
import { checkMigrations, migrateDatabase } from "../../src/cli/migrate.ts";
import { parseConfig, type Config } from "../../src/config.ts";
import { unpackBridge } from "../support/database-template.ts";

const home = await mkdtemp(join(tmpdir(), "castellan-migrate-"));
afterAll(() => rm(home, { recursive: true }));
const config = parseConfig({ DATA_DIR: home });

async function run<T>(command: (config: Config, out: PassThrough) => Promise<T>): Promise<[T, string]> {
  const out = new PassThrough();
  const result = await command(config, out);
  out.end();
  return [result, await text(out)];
}

test("a database of an earlier version is brought up to date, and --check says what is missing until then", async () => {
  await expect(run(checkMigrations)).rejects.toThrow("There is no Castellan data");
  await unpackBridge(home);
  const [missing, said] = await run(checkMigrations);
  expect([missing, said]).toEqual([1, expect.stringMatching(/^To be applied: \d{4}-.*\.\n$/)]);
  expect(await run(checkMigrations)).toEqual([missing, said]);
  expect(await run(migrateDatabase)).toEqual([undefined, said.replace("To be applied", "Applied")]);
  expect(await run(checkMigrations)).toEqual([0, "The database is up to date.\n"]);
  expect(await run(migrateDatabase)).toEqual([undefined, "The database is up to date.\n"]);
});
