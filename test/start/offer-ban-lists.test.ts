import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeEach, expect, it, test } from "vitest";
import { commands } from "../../commands/index.ts";
import { importBans } from "../../src/cli/import-bans.ts";
import { readCaseFilters } from "../../src/console/read-cases.ts";
import type { RawValues } from "../../src/discord/command.ts";
import { findHandler } from "../../src/discord/find-handler.ts";
import { readArguments } from "../../src/discord/run-command.ts";
import { describeBulk } from "../../src/feed/render/bulk.ts";
import { readBulks } from "../../src/feed/render/bulk-summary.ts";
import { parseBanList } from "../../src/moderation/bulks/ban-list.ts";
import { makeAppeal } from "../../src/reviews/appeals.ts";
import { offerBanLists } from "../../src/start/offer-ban-lists.ts";
import { runOpenBulks } from "../support/jobs.ts";
import { said, serveTasks } from "../support/serve-tasks.ts";
import { botFid, commandContext, linkGuild, people, seedChannel, verifyDiscord } from "../support/world.ts";
import { useEmptyWorld } from "../support/test-cases.ts";

const bot = await useEmptyWorld();
const { config, folder, close } = await serveTasks((health) => offerBanLists(health, bot));
const server = "900";
const file = join(folder, "bans.csv");
const day = 86_400_000;
afterAll(() => close());
beforeEach(async () => {
  await seedChannel(bot, "memes", server);
  for (const fid of [11, 12, 13]) await bot.net.seed.account(fid);
  await verifyDiscord(bot, people.moderator, "1002");
});

async function imported(text: string, { dryRun = false, channel = "memes" } = {}): Promise<string> {
  await writeFile(file, text);
  return said((out) => importBans(config, { file, server, channel, dryRun }, out));
}
const cases = () =>
  bot.database.query
    .selectFrom("castellan.cases")
    .select(["target_fid", "state", "public_reason", "due_at_ms", "actor_user"])
    .orderBy("id")
    .execute();

/** What a moderator sees of a command, and what is drawn for it. */
async function show(path: string, raw: RawValues = {}): Promise<string> {
  const actor = { userId: "1002", guildId: server, roomId: "1", roleIds: [], managesServer: false };
  const drawn: unknown[] = [];
  const draw = async (...picture: unknown[]) => {
    drawn.push(picture);
    return new Uint8Array();
  };
  const context = { ...commandContext(bot, actor), drawer: { ...bot.drawer, draw } };
  const handler = findHandler(commands, path);
  if (handler?.kind !== "answer" && handler?.kind !== "listing") throw new Error(`/${path} only asks`);
  const args = await readArguments(context, handler.options, raw);
  if (handler.kind === "answer") return JSON.stringify([await handler.run(context, args), drawn]);
  return JSON.stringify(await handler.page(context, args, undefined));
}

it("says who would be banned, who is, and who cannot be, and then bans the first as one bulk of the operator", async () => {
  await bot.database.query
    .insertInto("castellan.listing_entries")
    .values({ channel_id: "memes", listing: "bans", fid: 13, at: 1, role: null, inviter_fid: null })
    .execute();
  const until = new Date(bot.clock.now() + 7 * day).toISOString().slice(0, 10);
  const list = `fid,reason,until
7,"=spam, again",
11,,${until}
12,,2020-01-01T00:00:00Z
13,spam,
${people.owner},,
${people.moderator},,
${botFid},,
`;
  const users = [
    "  fid 7 permanently: =spam, again",
    `  fid 11 until ${until} 00:00 UTC`,
    "Left out: fid 13 is banned already, and stays so as now.",
    "Left out: the ban of fid 12 is over.",
    "Left out: fid 1: the owner of the channel cannot be banned.",
    "Left out: fid 2: only the owner can ban a moderator.",
    "Left out: fid 9001: that is Castellan itself.",
    "",
  ];
  expect(await imported(list, { dryRun: true })).toBe(
    ["Would ban 2 users from /memes:", ...users].join("\n"),
  );
  expect(await cases()).toEqual([]);
  expect(await imported(list)).toBe(
    ["Bulk B-1 bans 2 users from /memes. /case show has its progress.", ...users].join("\n"),
  );
  expect(bot.woken).toContain("run-bulks 1");

  await runOpenBulks(bot);
  const by = { state: "applied", actor_user: "operator" };
  expect(await cases()).toEqual([
    { ...by, target_fid: 7, public_reason: "=spam, again", due_at_ms: null },
    { ...by, target_fid: 11, public_reason: null, due_at_ms: Date.parse(until) },
  ]);
  const { result } = await bot.network.channelBans.list({ channelId: "memes" });
  expect(result.bannedUsers.map(({ fid }) => fid)).toEqual(expect.arrayContaining([7, 11]));
  expect(await imported(list)).toMatch(/^Nobody to ban from \/memes\.\nLeft out: fid 7 is banned already/);
});

it("is shown as the operator's, without mentioning anybody", async () => {
  await imported('{"fid": 7, "until": "2030-01-01"}\n\n{"fid": 11, "reason": "spam"}\n');
  await runOpenBulks(bot);
  const bulk = (await readBulks(bot.database.query, [1])).get(1);
  const { description = "" } = bulk ? describeBulk(bulk) : {};
  expect(description).toContain("users from a list of bans · by the operator");
  // The bans end at different times.
  expect(description).not.toContain("Until");
  const [banned] = await bot.database.query
    .selectFrom("castellan.cases")
    .select("id")
    .orderBy("id")
    .execute();
  await makeAppeal(bot, {
    guildId: server,
    userId: "55",
    locale: "en-US",
    fids: [7],
    caseId: banned?.id ?? 0,
    text: "Not me",
  });
  const shown = [
    await show("review show", { number: "R-1" }),
    await show("case show", { bulks: true }),
    await show("case show"),
    description,
  ];
  const statistics = await show("stats");
  expect(statistics.match(/the operator/g)).toHaveLength(2);
  for (const text of shown) {
    expect(text).toContain("the operator");
    expect(text).not.toContain("<@operator>");
  }
  const actor = { userId: "1002", guildId: server, roomId: "1", roleIds: [], managesServer: false };
  expect((await readCaseFilters(commandContext(bot, actor), { channel: "memes" })).moderators).toEqual([]);
});

it("reads the example of its documentation", async () => {
  const [, example = ""] =
    /```csv\n([\s\S]*?)```/.exec(await readFile("docs/reference/command-line.md", "utf8")) ?? [];
  expect(parseBanList(example)).toEqual([
    { fid: 3621, reason: "spam", untilMs: Date.parse("2026-12-31T00:00:00Z") },
    { fid: 7001, reason: "scam, again", untilMs: Date.parse("2027-01-31T20:00:00Z") },
    { fid: 7002, reason: undefined, untilMs: undefined },
  ]);
});

test.each([
  ["fid\n7\nx\n", "line 3:", "fid: must be a fid"],
  ["fid,why\n7,spam\n", "line 2:", 'Unrecognized key: "why"'],
  ["fid,until\n7,next week\n", "line 2:", "until: must be a date"],
  ["fid\n7\n8\n7\n", "line 4:", "fid 7 is in line 2 too"],
  ["fid,reason\n7,spam,2026-01-01\n", "line 2:", "has more fields than the first line"],
  ['{"fid": 7}\n{"fid": 8\n', "line 2:", "is not JSON"],
  ['{"fid": 7, "till": "2026-01-01"}\n', "line 1:", 'Unrecognized key: "till"'],
])("%j is refused as a whole", async (text, path, message) => {
  await expect(imported(text)).rejects.toMatchObject({
    code: "invalid_file",
    mistakes: [{ path, message: expect.stringContaining(message) }],
  });
  expect(await cases()).toEqual([]);
});

it("refuses files without bans, and channels in which Castellan cannot act", async () => {
  await expect(imported("7\n8\n")).rejects.toThrow("The first line must name the columns");
  await expect(imported("fid\n")).rejects.toThrow("The list has no bans.");
  const many = Array.from({ length: 5001 }, (_, index) => 100 + index).join("\n");
  await expect(imported(`fid\n${many}\n`)).rejects.toThrow("At most 5000 fit in one.");
  await expect(imported("fid\n7\n", { channel: "food" })).rejects.toThrow(
    "food is not linked to the server 900.",
  );
  await bot.net.seed.channel("art", { owner: 1 });
  await linkGuild(bot, "art", server);
  await expect(imported("fid\n7\n", { channel: "art" })).rejects.toThrow("Castellan does not moderate art");
  await bot.database.query
    .updateTable("castellan.links")
    .set({ suspended_at_ms: 1, suspended_reason: "Nobody has proof." })
    .execute();
  await expect(imported("fid\n7\n")).rejects.toThrow("The link to memes is suspended: Nobody has proof.");
  expect(await cases()).toEqual([]);
});
