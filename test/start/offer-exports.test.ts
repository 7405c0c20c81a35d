import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { PassThrough } from "node:stream";
import { afterAll, beforeEach, expect, it } from "vitest";
import { exportRecords, type ExportOptions } from "../../src/cli/export-records.ts";
import { proposeCases } from "../../src/moderation/cases/propose.ts";
import { recordSetupChange } from "../../src/observe/setup-changes.ts";
import { offerExports } from "../../src/start/offer-exports.ts";
import { operator } from "../../src/text/show-doer.ts";
import { linkGuild } from "../support/world.ts";
import { serveTasks } from "../support/serve-tasks.ts";
import { useEmptyWorld } from "../support/test-cases.ts";

const bot = await useEmptyWorld();
const { config, folder, close } = await serveTasks((health) => offerExports(health, bot));
const server = "900";
afterAll(() => close());

beforeEach(async () => {
  for (const channelId of ["art", "memes"]) {
    await bot.net.seed.channel(channelId, { owner: 1 });
    await linkGuild(bot, channelId, server);
  }
});

async function write(of: "cases" | "audit", options: Partial<ExportOptions> = {}): Promise<string> {
  const out = new PassThrough({ encoding: "utf8" });
  const given = { server, format: "csv" as const, output: "-", ...options };
  const written = exportRecords(config, of, given, out).then(() => out.end());
  const [all] = await Promise.all([text(out), written]);
  return all;
}

async function ban(channelId: string, fids: number[], publicReason: string, guildId = server): Promise<void> {
  const actor = { userId: "123456789012345678" };
  const bans = fids.map((targetFid) => ({
    guildId,
    channelId,
    kind: "ban" as const,
    targetFid,
    actor,
    publicReason,
  }));
  await bot.database.transaction((tx) => proposeCases(tx, bot.clock, bans));
}

const lines = (table: string) => table.trimEnd().split(/\r?\n/);

it("writes all cases of a server, channel by channel, and those of no other server", async () => {
  await ban(
    "memes",
    [...Array(501).keys()].map((index) => 1000 + index),
    "spam",
  );
  await ban("art", [7], "=HYPERLINK(1)");
  await ban("art", [8], "elsewhere", "901");
  const csv = await write("cases");
  expect(csv).toMatch(/^\ufeffnumber,action,state,/);
  const [, first, ...rest] = lines(csv);
  expect(first).toContain(`"'=HYPERLINK(1)"`);
  // Spreadsheets would round an id of 18 digits.
  expect(first).toContain(`,"'123456789012345678",`);
  expect(first).toMatch(/,"art"$/);
  expect(rest).toHaveLength(501);
  expect(new Set(rest.map((line) => line.split(",")[0])).size).toBe(501);
  expect(rest.every((line) => line.endsWith(',"memes"'))).toBe(true);

  const json = lines(await write("cases", { format: "jsonl", channel: "art" }));
  expect(json.map((line): unknown => JSON.parse(line))).toMatchObject([
    { number: "C-502", subject_fid: 7, by: "123456789012345678", reason: "=HYPERLINK(1)", channel: "art" },
  ]);
});

it("writes the changes that /audit shows, for a channel with those of all channels", async () => {
  const change = { guildId: server, userId: operator, kind: "rules" as const };
  await bot.database.transaction(async (tx) => {
    for (let index = 0; index < 500; index += 1)
      await recordSetupChange(bot, tx, { ...change, kind: "feeds", what: `added feed ${index}` });
    await recordSetupChange(bot, tx, { ...change, guildId: "901", what: "elsewhere" });
    await recordSetupChange(bot, tx, { ...change, what: "put version 1 of the rules in force" });
    await recordSetupChange(bot, tx, {
      ...change,
      kind: "links",
      channelId: "art",
      what: "locked down /art until <t:1700003600:f>",
    });
    await recordSetupChange(bot, tx, { ...change, kind: "links", channelId: "memes", what: "linked /memes" });
  });
  const all = lines(await write("audit"));
  expect(all[0]).toBe("\ufeffat,kind,channel,by,what");
  expect(all).toHaveLength(504);
  expect(all.slice(1, 4).map((line) => line.split(",").slice(1).join(","))).toEqual([
    '"links","memes","operator","linked /memes"',
    '"links","art","operator","locked down /art until 2023-11-14 23:13 UTC"',
    '"rules",,"operator","put version 1 of the rules in force"',
  ]);
  const some = lines(await write("audit", { format: "jsonl", channel: "art" }));
  expect(some).toHaveLength(502);
  expect(some.slice(0, 2).map((line): unknown => JSON.parse(line))).toMatchObject([
    { channel: "art", what: "locked down /art until 2023-11-14 23:13 UTC" },
    { channel: null, by: "operator" },
  ]);
});

it("leaves out what happened earlier", async () => {
  await ban("memes", [7], "old");
  const day = 86_400;
  bot.clock.jump(2 * day);
  await ban("memes", [8], "new");
  const since = new Date(bot.clock.now() - day * 1000).toISOString().slice(0, 16);
  expect(lines(await write("cases", { since }))).toMatchObject([
    expect.anything(),
    expect.stringContaining("new"),
  ]);
  expect(await write("audit", { since, format: "jsonl" })).toBe("");
  await expect(write("cases", { since: "tomorrow" })).rejects.toMatchObject({ code: "invalid_input" });
});

it("leaves the output open if the instance refuses, because the output works", async () => {
  const out = new PassThrough();
  const given = { server: "902", format: "csv" as const, output: "-" };
  await expect(exportRecords(config, "cases", given, out)).rejects.toThrow(
    "No channel was ever linked in the server 902.",
  );
  expect(out.destroyed).toBe(false);
});

it("writes a new file, complete or not at all", async () => {
  await ban("memes", [7], "spam");
  const output = join(folder, "cases.csv");
  expect(await write("cases", { output })).toBe("");
  expect(await readFile(output, "utf8")).toMatch(/^\ufeffnumber/);
  await expect(write("cases", { output })).rejects.toThrow("it already exists");
  const never = join(folder, "never.csv");
  await expect(write("cases", { output: never, channel: "food" })).rejects.toThrow(
    "food is not one of the server's channels: art, memes.",
  );
  await expect(write("audit", { output: never, server: "902" })).rejects.toThrow(
    "No channel was ever linked in the server 902.",
  );
  expect(await readdir(folder)).toEqual(["cases.csv"]);
});
