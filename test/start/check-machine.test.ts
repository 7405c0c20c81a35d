import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { checkSecretFiles } from "../../src/start/doctor/check-machine.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "castellan-settings-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const check = () =>
  checkSecretFiles({ DATA_DIR: folder, SETTINGS_FILE: undefined, KEY_SECRET_FILE: undefined }, folder).map(
    ({ state, message }) => `${state} ${message}`,
  );
const write = (text: string, mode: number) => writeFileSync(join(folder, ".env"), text, { mode });

test("the settings come from the environment, or also from .env where that has any", () => {
  const none = `there is no ${join(folder, "settings.env")}`;
  expect(check()).toEqual([`ok from the environment only; ${none}`]);
  write("# none yet\n", 0o644);
  expect(check()).toEqual([`ok from the environment only; ${none}`]);
  write("PORT=4690\n", 0o644);
  expect(check()).toEqual([`ok from .env and the environment; ${none}`]);
});

test("a .env that others can read is exposed where it has secrets", () => {
  write("DISCORD_TOKEN=a.token.of.this.test\n", 0o644);
  expect(check()).toEqual([`wrong ${join(folder, ".env")} can be read by others, and contains secrets.`]);
});
