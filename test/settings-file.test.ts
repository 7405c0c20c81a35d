import { mkdtempSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { parseConfig } from "../src/config.ts";
import { readSettings } from "../src/environment.ts";
import { decryptKey, encryptKey, isEncrypted } from "../src/encrypted-key.ts";
import { readSettingsFile, settingsFileOf, writeSettingsFile } from "../src/settings-file.ts";

const key = "ab".repeat(32);
const secret = "a secret of enough characters";
let directory: string;

beforeEach(() => void (directory = mkdtempSync(join(tmpdir(), "castellan-settings-"))));
afterEach(() => rmSync(directory, { recursive: true, force: true }));

describe("the settings file", () => {
  const file = () => join(directory, "settings.env");

  it("gives back what was written, whatever characters it has, for its owner alone", () => {
    const settings = {
      HUB_URL: "https://a.example x-api-key=K#1, https://b",
      A: "it's $5\\",
      B: 'say "x"',
      C: "1",
    };
    expect(() => writeSettingsFile(file(), { A: 'it\'s "both"' })).toThrow("both kinds of quotation marks");
    writeSettingsFile(file(), { ...settings, A: "$5 \\ n", EMPTY: "", NONE: undefined });
    expect(readSettingsFile(file())).toEqual({ ...settings, A: "$5 \\ n" });
    expect(statSync(file()).mode & 0o777).toBe(0o600);
  });

  it("stays whole, and leaves no draft, where writing fails", () => {
    writeSettingsFile(file(), { A: "1" });
    const blocked = join(directory, "blocked");
    mkdirSync(join(blocked, "x"), { recursive: true });
    expect(() => writeSettingsFile(blocked, { A: "2" })).toThrow("What was there is unchanged");
    expect(readdirSync(directory).toSorted()).toEqual(["blocked", "settings.env"]);
    expect(readSettingsFile(file())).toEqual({ A: "1" });
  });

  it("fills in what the environment leaves out, and counts less than it", () => {
    writeSettingsFile(file(), { PORT: "5001", BOT_FID: "7" });
    const config = parseConfig(readSettings({ DATA_DIR: directory, PORT: "5002", BOT_FID: "" }));
    expect(config).toMatchObject({ PORT: 5002, BOT_FID: 7, DATA_DIR: directory });
    const elsewhere = { DATA_DIR: "/nowhere", SETTINGS_FILE: file() };
    expect(parseConfig(readSettings(elsewhere))).toMatchObject({ PORT: 5001 });
    expect(settingsFileOf({})).toBe(join(".castellan", "settings.env"));
  });

  it("that cannot be read is an error that names it", () => {
    expect(() => readSettings({ SETTINGS_FILE: directory })).toThrow(
      `${directory} cannot be read: it is a directory`,
    );
  });
});

describe("the key at rest", () => {
  it("is read again with the secret alone, and looks different each time", () => {
    const encrypted = encryptKey(key, secret);
    expect(encrypted).not.toContain(key);
    expect(encryptKey(key, secret)).not.toBe(encrypted);
    expect(isEncrypted(encrypted)).toBe(true);
    expect(decryptKey(encrypted, secret)).toBe(key);
    expect(() => decryptKey(encrypted, `${secret}!`)).toThrow("another secret, or changed");
  });

  it("notices any change, and any cut", () => {
    const [name = "", text = ""] = encryptKey(key, secret).split(":");
    const bytes = Buffer.from(text, "base64url");
    // One place in each of salt, nonce, tag and key.
    for (const at of [0, 20, 40, bytes.length - 1]) {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect(() => decryptKey(`${name}:${changed.toString("base64url")}`, secret)).toThrow("changed since");
    }
    expect(() => decryptKey(`${name}:${bytes.subarray(0, 60).toString("base64url")}`, secret)).toThrow(
      "damaged",
    );
  });

  it("is decrypted for the program, from the environment's secret or a file's", () => {
    const secretFile = join(directory, "secret");
    writeFileSync(secretFile, `${secret}\n`);
    const live = { BOT_APP_KEY: encryptKey(key, secret) };
    expect(parseConfig({ ...live, KEY_SECRET: secret }).BOT_APP_KEY).toBe(key);
    expect(parseConfig({ ...live, KEY_SECRET_FILE: secretFile }).BOT_APP_KEY).toBe(key);
    expect(readFileSync(secretFile, "utf8")).toContain(secret);
  });

  it.each([
    [{}, "is encrypted: set KEY_SECRET or KEY_SECRET_FILE to read it"],
    [
      { KEY_SECRET: "another secret of enough length" },
      "cannot be decrypted: it was encrypted with another secret",
    ],
    [{ KEY_SECRET_FILE: "/nowhere/secret" }, "KEY_SECRET_FILE) cannot be read: there is no such file"],
  ])("without its secret is one mistake that says so: %j", (settings, says) => {
    const mistakes = [{ path: "BOT_APP_KEY", message: expect.stringContaining(says) }];
    expect(() => parseConfig({ BOT_APP_KEY: encryptKey(key, secret), ...settings })).toThrow(
      expect.objectContaining({ code: "invalid_configuration", mistakes }),
    );
  });
});
