import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { openBackupFolder } from "../../src/start/backup-folder.ts";

const home = mkdtempSync(join(tmpdir(), "castellan-copies-"));
afterAll(() => rmSync(home, { recursive: true }));

test("copies that killed backups left are removed, and no others", async () => {
  const left = join(home, "unfinished-backup-a1B2c3");
  mkdirSync(join(left, "database"), { recursive: true });
  writeFileSync(join(left, "database", "rows"), "rows");
  mkdirSync(join(home, "database"));
  // It cannot be locked, like another user's.
  writeFileSync(join(home, "unfinished-backup-file"), "");
  const first = await openBackupFolder(home);
  expect(existsSync(left)).toBe(false);
  // Another backup at the same time has its own.
  const second = await openBackupFolder(home);
  expect(existsSync(first.directory)).toBe(true);
  await Promise.all([first.close(), second.close()]);
  expect(readdirSync(home)).toEqual(["database", "unfinished-backup-file"]);
});
