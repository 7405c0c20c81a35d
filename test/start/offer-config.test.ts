import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeEach, expect, it } from "vitest";
import { exportConfig, importConfig } from "../../src/cli/server-config.ts";
import { listFeeds } from "../../src/feed/feeds.ts";
import { createToken } from "../../src/moderation/api-tokens.ts";
import { listVersions } from "../../src/rules/versions/rules-of-server.ts";
import { parseConfigFile } from "../../src/server-config/config-file.ts";
import { offerConfig } from "../../src/start/offer-config.ts";
import { usableDiscord } from "../support/apply-config.ts";
import { said, serveTasks } from "../support/serve-tasks.ts";
import { storedEvents } from "../support/stored.ts";
import { createWorld, linkGuild } from "../support/world.ts";

const bot = await createWorld();
const { config, folder, close } = await serveTasks((health) =>
  offerConfig(health, bot, async () => usableDiscord),
);
const server = "900000000000000001";
const file = join(folder, "server.yaml");
afterAll(async () => {
  await close();
  await bot.database.close();
});

async function empty(): Promise<void> {
  await bot.database.truncate();
  for (const channelId of ["art", "memes"]) await linkGuild(bot, channelId, server);
}
beforeEach(empty);

const exported = () => said((out) => exportConfig(config, { server, output: "-" }, out));
async function imported(text: string, { dryRun = false } = {}): Promise<string> {
  await writeFile(file, text);
  return said((out) => importConfig(config, { file, server, dryRun }, out));
}
const changesOf = () =>
  bot.database.query
    .selectFrom("castellan.setup_changes")
    .select(["kind", "channel_id", "by_user", "what"])
    .orderBy("id")
    .execute();

const whole = `version: 1
time_zone: America/Sao_Paulo
channels:
  - channel: art
    roles: []
    ignored_reporters: []
  - channel: memes
    roles:
      - role: "900000000000000011"
        may:
          - view
          - hide
      - role: everyone
        may:
          - view
    message: |-
      Hello {user},
      you are banned from {channel}.
    ignored_reporters:
      - "900000000000000021"
saved_reasons:
  - reason: advertising
  - reason: spam
    ban: 7 days
rooms:
  - room: "900000000000000031"
    mention:
      role: "900000000000000011"
      kinds:
        - reviews
    digest: 1 hour
    quiet:
      hours: 22:00-07:00
      zone: Europe/Berlin
    feeds:
      - kinds:
          - bans
          - pins
      - kinds:
          - names
        channels:
          - memes
        names: "*scam*"
        members_only: true
rules: |
  # ours
  version: 1
  lists:
    words: {type: text, values: [gm]}
  rules: []
`;

it("puts a configuration in place, says what it changes before, and gives the same file again", async () => {
  const lines = [
    "Changes:",
    "  ~ /memes: role 900000000000000011: +view +hide",
    "  ~ /memes: role everyone: +view",
    '  + /memes: the message to banned people and authors of hidden casts: "Hello {user},\\nyou are banned from {channel}."',
    "  + /memes: ignored reporter 900000000000000021",
    "  ~ time zone America/Sao_Paulo",
    '  + saved reason "advertising"',
    '  + saved reason "spam" (ban 7 days)',
    "  + room 900000000000000031: bans, pins of every linked channel",
    '  + room 900000000000000031: names of members only that fit a pattern of /memes, pattern "*scam*"',
    "  ~ room 900000000000000031: mentions <@&900000000000000011> for reviews, a digest every 60 minutes, quiet hours from 22:00 to 07:00 (Europe/Berlin)",
    "  + rules: list words: 1",
  ];
  const before = await exported();
  expect(await imported(whole, { dryRun: true })).toBe(`${lines.join("\n")}\n`);
  expect(await exported()).toBe(before);
  expect(await changesOf()).toEqual([]);
  expect(await imported(whole)).toBe(`${lines.join("\n")}\n11 changes made.\n`);
  expect(await exported()).toBe(whole);
  expect(await imported(whole)).toBe(`${file}: the server has this configuration already.\n`);

  const output = join(folder, "copy.yaml");
  await exportConfig(config, { server, output }, process.stdout);
  expect(await readFile(output, "utf8")).toBe(whole);
});

it("records each change as the operator's, and announces all in one post", async () => {
  await imported(whole);
  const changes = await changesOf();
  expect(new Set(changes.map(({ by_user }) => by_user))).toEqual(new Set(["operator"]));
  expect(changes.map(({ kind, channel_id, what }) => [kind, channel_id, what])).toEqual([
    ["capabilities", "memes", "gave view, hide to <@&900000000000000011> in /memes"],
    ["capabilities", "memes", "gave view to everyone in /memes"],
    ["links", "memes", "set the message to banned people and authors of hidden casts in /memes"],
    ["links", "memes", "ignores the reports of <@900000000000000021> in /memes"],
    ["links", null, "set the server's time zone to America/Sao_Paulo"],
    ["links", null, "added a saved reason"],
    ["links", null, "added a saved reason"],
    ["feeds", null, "added a feed to <#900000000000000031>: bans, pins of every linked channel"],
    ["feeds", null, expect.stringContaining("names of members only that fit a pattern")],
    ["feeds", null, expect.stringContaining("changed the settings of <#900000000000000031>: mentions")],
    ["rules", null, "put version 1 of the rules in force (a file at the command line)"],
    ["links", null, "imported a configuration file with 10 changes, which /audit lists"],
  ]);
  const events = await storedEvents(bot.database);
  expect(events.map(({ kind }) => kind).toSorted()).toEqual(["rules.changed", "setup.changed"]);
  // Who is ignored, and what was written, is for /audit alone.
  const posted = events.filter(({ kind }) => kind === "setup.changed");
  expect(JSON.stringify(posted.map(({ data }) => data))).not.toContain("900000000000000021");
  const [version] = await listVersions(bot.database.query, server, 5);
  expect(version).toMatchObject({ version: 1, change: "import config", saved_by: "operator" });
});

it("replaces what the file names, and leaves the rest", async () => {
  await imported(whole);
  const [first] = await listFeeds(bot, server);
  await imported(`version: 1
channels:
  - channel: memes
    roles: [{ role: "900000000000000011", may: [hide, ban] }]
saved_reasons: [{ reason: spam, ban: 1d }]
rooms:
  - room: "900000000000000031"
    feeds: [{ kinds: [pins, bans] }]
`);
  expect(await exported()).toBe(`version: 1
time_zone: America/Sao_Paulo
channels:
  - channel: art
    roles: []
    ignored_reporters: []
  - channel: memes
    roles:
      - role: "900000000000000011"
        may:
          - hide
          - ban
    ignored_reporters: []
saved_reasons:
  - reason: spam
    ban: 1 day
rooms:
  - room: "900000000000000031"
    feeds:
      - kinds:
          - bans
          - pins
${whole.slice(whole.indexOf("rules: |"))}`);
  // A feed that stays is the same one, so no post is lost.
  expect((await listFeeds(bot, server)).map(({ id }) => id)).toEqual([first?.id]);

  // A room does not return with the settings that it had.
  await imported(whole);
  await imported("version: 1\nrooms: []\n");
  const changes = await imported(whole.replace(/ {4}mention:[\s\S]*Berlin\n/, ""));
  expect(changes).toContain("~ room 900000000000000031: mentions nobody, no digest, no quiet hours\n");
  expect(await exported()).not.toContain("quiet");
});

it("never exports API tokens", async () => {
  const token = { guildId: server, name: "ci-bot", capabilities: ["view" as const], createdBy: "100" };
  const expiresAtMs = bot.clock.now() + 86_400_000;
  await bot.database.transaction((tx) => createToken(tx, bot, { ...token, expiresAtMs }));
  expect(await exported()).not.toMatch(/ci-bot|token|secret/);
});

it("changes nothing where anything is wrong, and says where", async () => {
  const before = await exported();
  const mistakes = async (text: string) => {
    const error: unknown = await imported(text).catch((thrown: unknown) => thrown);
    expect(await exported()).toBe(before);
    expect(await changesOf()).toEqual([]);
    return error;
  };
  const at = (path: string, message: string) => ({
    code: "invalid_file",
    mistakes: expect.arrayContaining([{ path, message: expect.stringContaining(message) }]),
  });
  const placeOf = (text: string, part: string) => {
    const before = text.slice(0, text.indexOf(part)).split("\n");
    return `line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`;
  };
  const role = '"900000000000000011"';
  const cases: [from: string, to: string, place: string, message: string][] = [
    ["saved_reasons", "saved_reason", "saved_reason", 'unknown key "saved_reason"'],
    ["ignored_reporters: []", "tokens: []", "tokens", 'channels[0].tokens: unknown key "tokens"'],
    ["version: 1", "version: 2", "2", "version: must be 1"],
    ["channel: art", "channel: food", "food", "channels[0].channel: is not linked to this server"],
    ["channel: memes", "channel: art", "art\n    roles:\n", "channels[1].channel: is there twice"],
    [role, "900000000000000011", "900000000000000011\n        may", "must be a Discord id in quotes"],
    ["- hide", "- hid", "hid\n", "channels[1].roles[0].may[1]"],
    ["{user}", "{use}", "|-\n      Hello", "channels[1].message: There is no"],
    ["7 days", "7 months", "7 months", "must be a number with s, m, h, d or w"],
    ["1 hour", "1 second", "1 second", "must be between 5m and 24h"],
    ["07:00", "27:00", "hours: ", "Write the quiet hours"],
    ["Europe/Berlin", "Europe/Bonn", "hours: ", "Unknown time zone"],
    ["- pins", "- pin", "pin\n", "rooms[0].feeds[0].kinds[1]"],
    [`role: ${role}\n      kinds`, `role: "${server}"\n      kinds`, `"${server}"`, "would mention everyone"],
  ];
  for (const [from, to, place, message] of cases) {
    const text = whole.replace(from, to);
    expect(await mistakes(text)).toMatchObject(at(placeOf(text, place), message));
  }
  const rules = whole.replace("rules: []", "rules: 3");
  expect(await mistakes(rules)).toMatchObject(at("rules, line 5, column 8", "must be a list"));
  expect(await mistakes("version: 1\nrooms: [")).toMatchObject({ code: "invalid_file" });

  await writeFile(file, whole);
  await expect(importConfig(config, { file, server: "902", dryRun: false }, process.stdout)).rejects.toThrow(
    "No channel is linked in the server 902.",
  );
});

it("undoes all of it if a part fails", async () => {
  await imported("version: 1\nsaved_reasons: [{ reason: spam }]\n");
  const before = await exported();
  const { appendEvents } = bot;
  let calls = 0;
  bot.appendEvents = async (tx, events) => {
    calls += 1;
    if (calls === 2) throw new Error("the disk is full");
    return appendEvents(tx, events);
  };
  try {
    await expect(imported(whole)).rejects.toThrow("Something went wrong");
  } finally {
    bot.appendEvents = appendEvents;
  }
  expect(await exported()).toBe(before);
  expect(await changesOf()).toHaveLength(2);
});

it("reads the example of its documentation", async () => {
  const [, example = ""] =
    /```yaml\n(version: 1\n[\s\S]*?)```/.exec(await readFile("docs/reference/command-line.md", "utf8")) ?? [];
  expect(parseConfigFile(example).config).toMatchObject({
    channels: [{ channelId: "memes", message: "You are banned from {channel} until {until}." }],
    rooms: [{ settings: { quiet: { from: 22 * 60, until: 7 * 60 } } }],
    rules: "version: 1\nrules: []\n",
  });
});
