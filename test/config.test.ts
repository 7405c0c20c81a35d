import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { findRemoved, parseConfig, secretsOf, settingNames } from "../src/config.ts";
import { asAppError } from "../src/errors.ts";

function mistakesOf(environment: Record<string, string>): string[] {
  try {
    parseConfig(environment);
    return [];
  } catch (error) {
    return asAppError(error, "invalid_configuration")?.mistakes.map(({ path }) => path) ?? ["another error"];
  }
}

describe("configuration", () => {
  it("needs nothing", () => {
    expect(parseConfig({})).toMatchObject({
      HOST: "127.0.0.1",
      PORT: 4680,
      NETWORK: "sample",
      BOT_FID: 9001,
    });
  });

  it("takes the bot's key with or without 0x", () => {
    const digits = "5a".repeat(32);
    expect(parseConfig({ BOT_APP_KEY: `0x${digits}` }).BOT_APP_KEY).toBe(digits);
    expect(parseConfig({ BOT_APP_KEY: digits }).BOT_APP_KEY).toBe(digits);
  });

  it("treats an empty value as none", () => {
    expect(parseConfig({ PORT: "", DISCORD_TOKEN: "" })).toMatchObject({ PORT: 4680 });
  });

  it("names every mistake at once", () => {
    const environment = {
      PORT: "65536",
      NETWORK: "mainnet",
      OPERATOR_TOKEN: "short",
      BOT_FID: "0",
      DATABASE_URL: "mysql://x",
      CHANNEL_GUILDS: "memes",
    };
    expect(mistakesOf(environment).toSorted()).toEqual(Object.keys(environment).toSorted());
  });

  it("says what each value should be", () => {
    const mistakes = [{ path: "SANDBOX_TRAFFIC", message: "must be on or off" }];
    expect(() => parseConfig({ SANDBOX_TRAFFIC: "slow" })).toThrow(expect.objectContaining({ mistakes }));
  });

  it("asks for what the live network needs, and refuses to load a file into it", () => {
    expect(mistakesOf({ NETWORK: "live", NETWORK_FILE: "x.json" }).toSorted()).toEqual([
      "BOT_APP_KEY",
      "BOT_FID",
      "DISCORD_TOKEN",
      "HUB_URL",
      "NETWORK_FILE",
    ]);
  });

  it("reads which servers may link which channel", () => {
    const { CHANNEL_GUILDS: guilds } = parseConfig({ CHANNEL_GUILDS: "memes:12345,art:12345,memes:67890" });
    expect(guilds.get("memes")).toEqual(new Set(["12345", "67890"]));
    expect(guilds.get("art")).toEqual(new Set(["12345"]));
  });

  it("reads the hubs, and what each is sent besides", () => {
    const { HUB_URL: hubs } = parseConfig({
      HUB_URL:
        "https://one.example x-api-key=a=b plan=small, http://two.example:3381, http://10.1.2.3:3381 own",
    });
    expect(hubs).toEqual([
      { address: "https://one.example", headers: { "x-api-key": "a=b", plan: "small" } },
      { address: "http://two.example:3381", headers: {} },
      { address: "http://10.1.2.3:3381", headers: {}, own: true },
    ]);
    for (const wrong of [
      "one.example",
      "https://one.example x-api-key",
      "https://one.example,",
      "ftp://one.example",
    ])
      expect(mistakesOf({ HUB_URL: wrong })).toEqual(["HUB_URL"]);
  });

  it("reads how many calls are made to each route, and to some", () => {
    const { CALL_LIMITS: limits } = parseConfig({ CALL_LIMITS: "18/450, POST /fc/channel-bans=10/200" });
    expect(limits).toEqual([
      { route: undefined, burst: 18, hour: 450 },
      { route: "POST /fc/channel-bans", burst: 10, hour: 200 },
    ]);
    expect(parseConfig({}).CALL_LIMITS).toEqual([]);
    for (const wrong of ["many", "18", "0/5", "/fc/channel-bans=9", "channel-bans=1/2", "1/2,"])
      expect(mistakesOf({ CALL_LIMITS: wrong })).toEqual(["CALL_LIMITS"]);
  });

  it("reads which lists of bad links are fetched", () => {
    const { LINK_LISTS: lists } = parseConfig({
      LINK_LISTS: "wallets https://lists.example/a.json, ours http://127.0.0.1:8080/good.txt allow",
    });
    expect(lists).toEqual([
      { name: "wallets", url: "https://lists.example/a.json", allows: false },
      { name: "ours", url: "http://127.0.0.1:8080/good.txt", allows: true },
    ]);
    expect(parseConfig({}).LINK_LISTS).toEqual([]);
    for (const wrong of [
      "https://lists.example/a.json",
      "wallets lists.example",
      "wallets http://lists.example/a.json",
      "wallets https://lists.example/a deny",
      "one https://a.example, one https://b.example",
      "Wallets https://lists.example/a",
    ])
      // What has no name lacks its address too.
      expect([...new Set(mistakesOf({ LINK_LISTS: wrong }))]).toEqual(["LINK_LISTS"]);
  });

  it("refuses secrets that no request can contain, and addresses with a password", () => {
    const token = "abcdefghijklmnopqrst";
    for (const wrong of [`“${token}”`, `Bot ${token}`, `${token}\n${token}`, `${token} `])
      expect(mistakesOf({ DISCORD_TOKEN: wrong })).toEqual(["DISCORD_TOKEN"]);
    expect(mistakesOf({ OPERATOR_TOKEN: `“${"o".repeat(40)}”` })).toEqual(["OPERATOR_TOKEN"]);
    expect(mistakesOf({ OPERATOR_TOKEN: "a long phrase of several words, as it was" })).toEqual([]);
    expect(mistakesOf({ HUB_URL: "https://one.example x-api-key=“KEY”" })).toEqual(["HUB_URL"]);
    for (const address of ["https://me:secret@one.example", "https://me@one.example"]) {
      expect(mistakesOf({ HUB_URL: address })).toEqual(["HUB_URL"]);
      expect(mistakesOf({ CLIENT_API_URL: address })).toEqual(["CLIENT_API_URL"]);
    }
  });

  it("counts a hub's headers among the secrets", () => {
    expect(secretsOf(parseConfig({ HUB_URL: "https://one.example x-api-key=KEY" }))).toEqual(["KEY"]);
  });

  it("reads the Sentinels of Redis, or the nodes of its cluster", () => {
    const given = { REDIS_URL: "redis://mymaster/2", REDIS_SENTINELS: "redis-1:26379, [::1]:26380" };
    expect(parseConfig(given).REDIS_SENTINELS).toEqual([
      { host: "redis-1", port: 26_379 },
      { host: "::1", port: 26_380 },
    ]);
    const url = "redis://redis_1.example";
    expect(parseConfig({ REDIS_URL: url, REDIS_CLUSTER: "10.0.0.2:6379" }).REDIS_CLUSTER).toEqual([
      { host: "10.0.0.2", port: 6_379 },
    ]);
    for (const wrong of ["redis-1", "redis-1:", "redis-1:70000", ":p@redis-1:26379", "redis://a:1", "a:1,"]) {
      expect([...new Set(mistakesOf({ REDIS_URL: url, REDIS_SENTINELS: wrong }))]).toEqual([
        "REDIS_SENTINELS",
      ]);
    }
    expect(secretsOf(parseConfig({ ...given, REDIS_SENTINEL_PASSWORD: "of them" }))).toEqual(["of them"]);
  });

  it.each([
    ["REDIS_SENTINELS", { REDIS_SENTINELS: "a:1" }, "needs REDIS_URL"],
    ["REDIS_CLUSTER", { REDIS_CLUSTER: "a:1" }, "needs REDIS_URL"],
    [
      "REDIS_CLUSTER",
      { REDIS_URL: "redis://a", REDIS_CLUSTER: "a:1", REDIS_SENTINELS: "a:1" },
      "cannot be set together with REDIS_SENTINELS",
    ],
    [
      "REDIS_CA_FILE",
      { REDIS_URL: "redis://a", REDIS_CA_FILE: "package.json" },
      "needs a REDIS_URL that begins with rediss://",
    ],
    [
      "REDIS_CA_FILE",
      { REDIS_URL: "rediss://a", REDIS_CA_FILE: "/nowhere/ca.pem" },
      "names /nowhere/ca.pem, which cannot be read: there is no such file or directory",
    ],
  ])("refuses %s in %o", (path, given, message) => {
    expect(() => parseConfig(given)).toThrow(expect.objectContaining({ mistakes: [{ path, message }] }));
  });

  it("reads which proxies are believed", () => {
    const { TRUSTED_PROXIES: proxies } = parseConfig({ TRUSTED_PROXIES: "127.0.0.1, ::1,10.0.0.0/8" });
    expect(proxies).toEqual(["127.0.0.1", "::1", "10.0.0.0/8"]);
    expect(mistakesOf({ TRUSTED_PROXIES: "127.0.0.1,proxy.example" })).toEqual(["TRUSTED_PROXIES"]);
    expect(mistakesOf({ TRUSTED_PROXIES: "0.0.0.0/0" })).toEqual(["TRUSTED_PROXIES"]);
  });

  it("explains every setting, with its default, in .env.example", () => {
    const example = readFileSync(new URL("../.env.example", import.meta.url), "utf8");
    const settings = [...example.matchAll(/^([A-Z_]+)=(.*)$/gm)].map(([, name = "", value = ""]) => [
      name,
      value,
    ]);
    const defaults = parseConfig({});
    expect(parseConfig(Object.fromEntries(settings) as Record<string, string>)).toEqual(defaults);
    expect(settings.map(([name = ""]) => name).toSorted()).toEqual(settingNames.toSorted());
  });
});

describe("a setting of earlier versions", () => {
  it("is named with the value that counts, unless it is set to that", () => {
    expect(findRemoved({ TOKEN_HOURS: "48", HUB_EVENTS: "own", LINK_BASE: "", HUB_HOURS: "48" })).toEqual([
      "TOKEN_HOURS is no longer a setting: it is always 24, not 48. Remove it.",
    ]);
    expect(mistakesOf({ NETWORK_SHARDS: "2" })).toEqual([]);
  });

  it("is none that there is", () => {
    const given = Object.fromEntries(settingNames.map((name) => [name, "another value"]));
    expect(findRemoved(given)).toEqual([]);
  });
});

describe("a name that is no setting", () => {
  it("is named where it is near to one that is not given", () => {
    expect(() => parseConfig({ DATABSE_URL: "postgres://db/x" })).toThrow(
      expect.objectContaining({
        mistakes: [{ path: "DATABSE_URL", message: "is not a setting; did you mean DATABASE_URL?" }],
      }),
    );
    expect(mistakesOf({ discord_token: "x" })).toEqual(["discord_token"]);
  });

  it("is nobody's business where it is not, or where the setting is given too", () => {
    expect(mistakesOf({ PATH: "/bin", HOSTS: "a", HOSTNAME: "b", DATABASE: "c", LOGNAME: "root" })).toEqual(
      [],
    );
    expect(mistakesOf({ REDIS_URI: "x", REDIS_URL: "" })).toEqual([]);
  });
});

it.each([
  ["DATABASE_URL", "postgres://castellan:p@tty-rock#2@localhost/castellan"],
  ["DATABASE_URL", "postgres://castellan:12/tty-rock@localhost/castellan"],
  ["DATABASE_URL", "postgres://castellan:pass/tty-rock@localhost/castellan"],
  ["DATABASE_URL", "postgres://castellan:12?tty-rock@localhost/castellan"],
  ["DATABASE_URL", "postgres://castellan:pass#tty-rock"],
  ["REDIS_URL", "redis://:p#tty-rock@localhost:6379"],
])("a patty-rock with special characters in %s is not repeated, in no part (%s)", (path, address) => {
  const outcome: { error?: unknown } = {};
  try {
    parseConfig({ [path]: address });
  } catch (error) {
    outcome.error = error;
  }
  const message = expect.stringContaining("percent-encoded: write @ as %40");
  expect(outcome.error).toMatchObject({ mistakes: [{ path, message }] });
  expect(JSON.stringify(asAppError(outcome.error)?.mistakes)).not.toContain("tty-rock");
});

it.each([
  "postgres://castellan:p%40ss%23word@localhost/castellan",
  "postgres://localhost/castellan",
  "postgres://castellan:p@ssword@localhost/castellan",
  "postgres://castellan@[::1]:5432/castellan?sslmode=verify-full&sslrootcert=/etc/ca.pem",
  "postgres:///castellan?host=/var/run/postgresql",
])("DATABASE_URL may be %s", (address) => {
  expect(parseConfig({ DATABASE_URL: address }).DATABASE_URL).toBe(address);
});
