import { mkdtempSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { parseConfig } from "../src/config.ts";
import { readSettings } from "../src/environment.ts";
import { decryptKey, encryptKey, isEncrypted } from "../src/encrypted-key.ts";
import { asAppError } from "../src/errors.ts";
import { readSettingsFile, settingsFileOf, writeSettingsFile } from "../src/settings-file.ts";

const key = "ab".repeat(32);
const secret = "a secret of enough characters";
let directory: string;

beforeEach(() => void (directory = mkdtempSync(join(tmpdir(), "castellan-settings-"))));
afterEach(() => rmSync(directory, { recursive: true, force: true }));

function mistakesIn(settings: Record<string, string>) {
  try {
    parseConfig(settings);
    return [];
  } catch (error) {
    return (asAppError(error)?.mistakes ?? []).map(({ path, message }) => ({ path, message }));
  }
}

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
    expect(() => writeSettingsFile(blocked, { A: "2" })).toThrow("The old file is unchanged");
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

  it("that SETTINGS_FILE names must exist: the sandbox would start in its place", () => {
    const missing = join(directory, "missing.env");
    expect(() => readSettings({ SETTINGS_FILE: missing })).toThrow(
      `SETTINGS_FILE names ${missing}, which does not exist.`,
    );
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

describe("secrets in files", () => {
  const put = (name: string, content: string) => {
    const file = join(directory, name);
    writeFileSync(file, content);
    return file;
  };
  const token = "a-token-of-enough-characters-for-anybody";

  it.each([
    ["DISCORD_TOKEN", token],
    ["OPERATOR_TOKEN", token],
    ["DISCORD_CLIENT_SECRET", token],
    ["DATABASE_URL", "postgres://me:secret@db.example/castellan"],
    ["REDIS_URL", "redis://:secret@redis.example:6379"],
    ["REDIS_SENTINEL_PASSWORD", "a password, with spaces"],
    ["REGISTRY_KEY", `0x${"ab".repeat(32)}`],
    ["BOT_CUSTODY_KEY", `0x${"cd".repeat(32)}`],
    ["BOT_APP_KEY", "ef".repeat(32)],
  ] as const)("%s comes from the file that %s_FILE names, without its last line break", (name, value) => {
    for (const end of ["", "\n", "\r\n"]) {
      expect(parseConfig({ [`${name}_FILE`]: put("secret", value + end) })[name]).toBe(value);
    }
  });

  it("names the file that cannot be read or is empty, and refuses a secret that is set twice", () => {
    const missing = join(directory, "none");
    expect(mistakesIn({ DISCORD_TOKEN_FILE: missing })).toEqual([
      {
        path: "DISCORD_TOKEN_FILE",
        message: `names ${missing}, which cannot be read: there is no such file or directory`,
      },
    ]);
    const empty = put("empty", "\n");
    expect(mistakesIn({ OPERATOR_TOKEN_FILE: empty })).toEqual([
      { path: "OPERATOR_TOKEN_FILE", message: `names ${empty}, which is empty` },
    ]);
    for (const name of ["DISCORD_TOKEN", "KEY_SECRET"]) {
      expect(mistakesIn({ [name]: token, [`${name}_FILE`]: put("twice", token) })).toEqual([
        { path: `${name}_FILE`, message: `cannot be set together with ${name}: keep one of them` },
      ]);
    }
  });

  it("a file in the environment takes the place of what setup keeps, and the other way round", () => {
    const place = { DATA_DIR: directory };
    writeSettingsFile(join(directory, "settings.env"), {
      DISCORD_TOKEN: "kept-by-setup-of-long-ago",
      NETWORK_FILE: "n.json",
    });
    const file = put("token", token);
    expect(parseConfig(readSettings({ ...place, DISCORD_TOKEN_FILE: file, NETWORK: "empty" }))).toMatchObject(
      {
        DISCORD_TOKEN: token,
        NETWORK_FILE: "n.json",
      },
    );
  });
});

describe(".env in the working folder", () => {
  it("is read where neither the environment nor what setup keeps says anything, and may say where that is", () => {
    writeFileSync(
      join(directory, ".env"),
      `DATA_DIR=${directory}\nPORT=5001\nHOST=::1\nLOG_LEVEL=debug\nSANDBOX_PORT=\n`,
    );
    writeSettingsFile(join(directory, "settings.env"), { PORT: "5002", HOST: "127.0.0.2" });
    expect(parseConfig(readSettings({ PORT: "5003" }, directory))).toMatchObject({
      PORT: 5003,
      HOST: "127.0.0.2",
      LOG_LEVEL: "debug",
      SANDBOX_PORT: 4681,
      DATA_DIR: directory,
    });
  });
});

describe("addresses of servers", () => {
  it.each([
    "postgres://user:p@ss#word@db.example/castellan",
    "postgres://user:pa/ss@db.example/castellan",
    "postgres://user:p@ss/word@db.example/castellan",
    "postgres://user:p?ss@db.example/castellan",
    "postgres://user:100%@db.example/castellan",
  ])("with a password that is not percent-encoded are refused, and none of it is told: %s", (address) => {
    for (const [name, value] of [
      ["DATABASE_URL", address],
      ["REDIS_URL", address.replace("postgres", "redis")],
    ] as const) {
      const told = JSON.stringify(mistakesIn({ [name]: value }));
      expect(told).toContain("percent-encoded");
      expect(told).not.toMatch(/p@ss|pa.ss|p.ss@|100/);
    }
  });

  it.each([
    "postgres://user:p%40ss%23@db.example:5432/castellan?sslmode=require",
    "postgres://db.example/castellan?user=me@server&password=x",
    "redis://:pass%2Fword@[::1]:6379/3",
    "redis://127.0.0.1:6379",
  ])("as they should be are taken: %s", (address) => {
    const name = address.startsWith("redis") ? "REDIS_URL" : "DATABASE_URL";
    expect(parseConfig({ [name]: address })[name]).toBe(address);
  });
});
