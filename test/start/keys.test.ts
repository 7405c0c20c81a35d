import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { parseConfig } from "../../src/config.ts";
import { givenKeys, hasAllKeys, loadKeys, readConfiguredKeys } from "../../src/start/keys.ts";
import { requireStartable } from "../../src/start/start.ts";

let directory: string;
beforeEach(() => void (directory = mkdtempSync(join(tmpdir(), "castellan-keys-"))));
afterEach(() => {
  chmodSync(directory, 0o700);
  rmSync(directory, { recursive: true, force: true });
});

const settings = {
  REGISTRY_KEY: "AB".repeat(32),
  BOT_CUSTODY_KEY: `0x${"cd".repeat(32)}`,
  BOT_APP_KEY: "ef".repeat(32),
  OPERATOR_TOKEN: "an operator's token of enough characters",
};
const given = {
  registryKey: `0x${"ab".repeat(32)}`,
  botCustodyKey: `0x${"cd".repeat(32)}`,
  botAppKey: "ef".repeat(32),
  operatorToken: "an operator's token of enough characters",
};

test("keys that the settings give whole need no file and no folder", async () => {
  const DATA_DIR = join(directory, "none");
  const config = parseConfig({
    ...settings,
    DATA_DIR,
    PORT: "0",
    DATABASE_URL: "postgres://127.0.0.1/castellan",
    NETWORK: "empty",
  });
  await requireStartable("api", config);
  expect(hasAllKeys(config)).toBe(true);
  expect(loadKeys(DATA_DIR, givenKeys(config))).toEqual(given);
  expect(readConfiguredKeys(config)).toEqual(given);
  expect(existsSync(DATA_DIR)).toBe(false);
});

test("what the settings leave out is made once, and kept beside what they give", () => {
  const { REGISTRY_KEY } = settings;
  const config = parseConfig({ REGISTRY_KEY, DATA_DIR: directory });
  expect(hasAllKeys(config)).toBe(false);
  const keys = loadKeys(directory, givenKeys(config));
  expect(keys.registryKey).toBe(given.registryKey);
  expect(loadKeys(directory)).toEqual(keys);
  expect(loadKeys(directory, { operatorToken: given.operatorToken })).toEqual({
    ...keys,
    operatorToken: given.operatorToken,
  });
});

test("a folder that may only be read serves where all else is on a server", async () => {
  const keys = loadKeys(directory);
  const text = readFileSync(join(directory, "keys.json"), "utf8");
  chmodSync(join(directory, "keys.json"), 0o400);
  chmodSync(directory, 0o500);
  const on = { DATA_DIR: directory, PORT: "0", NETWORK: "empty" };
  await requireStartable("api", parseConfig({ ...on, DATABASE_URL: "postgres://127.0.0.1/castellan" }));
  expect(loadKeys(directory)).toEqual(keys);
  expect(readFileSync(join(directory, "keys.json"), "utf8")).toBe(text);
});
