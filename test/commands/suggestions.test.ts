import { beginBulk } from "../../src/moderation/bulks/begin.ts";
import { addFeed } from "../../src/feed/feeds.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { commands } from "../../commands/index.ts";
import type { RawValues } from "../../src/discord/command.ts";
import { findHandler } from "../../src/discord/find-handler.ts";
import { formatDuration } from "../../src/text/duration.ts";
import { castRow } from "../support/rules.ts";
import { proposeCase } from "../../src/moderation/cases/propose.ts";
import {
  commandContext,
  createWorld,
  linkGuild,
  people,
  seedChannel,
  verifyDiscord,
  type World,
} from "../support/world.ts";

const guildId = "900";
let bot: World;

beforeAll(async () => {
  bot = await createWorld();
  await seedChannel(bot, "memes", guildId);
  await bot.net.seed.channel("art", { owner: people.owner, moderators: [people.moderator, bot.botFid] });
  await linkGuild(bot, "art", guildId);
  await verifyDiscord(bot, people.moderator, "1002");
  const { query } = bot.database;
  const names = {
    ada: people.owner,
    adam: 20,
    adrian: 21,
    mo: people.moderator,
    pia: 7,
    zoe: 8,
    castellan: bot.botFid,
  };
  await query
    .insertInto("castellan.names")
    .values(Object.entries(names).map(([name, fid]) => ({ name, fid, owner: "0x", since: 1 })))
    .execute();
  for (const id of ["memes", "art"]) {
    const { channel } = await bot.network.channels.get({ channelId: id });
    await query
      .insertInto("castellan.channel_snapshots")
      .values({ channel_id: id, channel_json: JSON.stringify(channel) })
      .execute();
  }
  const listed = [
    ["bans", 8, 10],
    ["bans", 21, 20],
    ["members", 20, 10],
    ["invites", 7, 10],
  ] as const;
  await query
    .insertInto("castellan.listing_entries")
    .values(
      listed.map(([listing, fid, at]) => {
        return { channel_id: "memes", listing, fid, at, role: null, inviter_fid: null };
      }),
    )
    .execute();
  const now = Math.floor(bot.clock.now() / 1000);
  const casts = [
    { fid: 7, text: "Try copper tape.", cast_at: now - 90 },
    { fid: 20, text: "Try copper tape.", cast_at: now - 60 },
    { fid: 30, text: "A cast of nobody with a name", cast_at: now - 30 },
    { fid: 20, text: "hidden already", cast_at: now - 20, hidden: true },
    { fid: 20, text: "Copper in art", cast_at: now - 10, channel_id: "art" },
  ];
  for (const [index, cast] of casts.entries()) {
    const row = castRow(`0x${String(index + 1).padStart(40, "0")}`, cast);
    await query.insertInto("castellan.casts").values(row).execute();
  }
});
afterAll(() => bot.database.close());

async function suggested(
  path: string,
  option: string,
  typed: string,
  given: RawValues = { channel: "memes" },
) {
  const actor = { userId: "1002", guildId, roomId: "room", roleIds: [], managesServer: true };
  const suggest = findHandler(commands, path)?.options[option]?.suggest;
  return (await suggest?.(typed, commandContext(bot, actor), given)) ?? [];
}
const names = async (...asked: Parameters<typeof suggested>) =>
  (await suggested(...asked)).map(({ name }) => name);

function addCase(targetFid: number) {
  const proposal = { guildId, channelId: "memes", kind: "ban" as const, targetFid, actor: { userId: "1" } };
  return bot.database.transaction((tx) => proposeCase(tx, bot.clock, proposal));
}

describe("people", () => {
  test("who cannot be banned is not offered for it: owner, moderators, Castellan, and who is banned", async () => {
    expect(await names("ban", "user", "a")).toEqual(["@adam (fid 20)"]);
    expect(await names("ban", "user", "mo")).toEqual([]);
    expect(await names("ban", "user", "castellan")).toEqual([]);
    expect(await names("ban", "user", "zoe")).toEqual([]);
  });

  test("time zones by a part of their name, also those that have a newer one", async () => {
    expect(await suggested("setup zone", "zone", "sao pa")).toEqual([
      { name: "America/Sao Paulo", value: "America/Sao_Paulo" },
    ]);
    expect(await names("setup zone", "zone", "kolkata")).toEqual(["Asia/Kolkata"]);
  });

  test("of durations, only those that the command accepts", async () => {
    expect(await names("lockdown start", "duration", "3")).toEqual(["3d"]);
    expect(await names("channel reasons", "duration", "p")).toEqual([]);
    expect(await names("ban", "duration", "p")).toEqual(["permanent"]);
  });

  test("with nothing typed, /ban suggests the authors of recent casts", async () => {
    const [first, ...others] = await suggested("ban", "user", "");
    expect(first?.name).toContain("Type a name");
    expect(others.map(({ name }) => name).slice(0, 3)).toEqual(["@adam (fid 20)", "fid 30", "@pia (fid 7)"]);
    const { options } = findHandler(commands, "ban") ?? {};
    const context = commandContext(bot, {
      userId: "1002",
      guildId,
      roomId: "r",
      roleIds: [],
      managesServer: true,
    });
    await expect(Promise.resolve(options?.["user"]?.read(first?.value, context))).rejects.toThrow(
      "Unknown user.",
    );
  });

  test("those who are banned, invited or members are offered where that is what it takes", async () => {
    const [adrian, zoe] = ["Lift the ban of @adrian (fid 21)", "Lift the ban of @zoe (fid 8)"];
    expect(await names("undo", "what", "")).toEqual(expect.arrayContaining([adrian, zoe]));
    expect(await suggested("undo", "what", "@z")).toEqual([{ name: zoe, value: "fid 8" }]);
    expect(await names("undo", "what", "21")).toEqual([]);
    expect(await names("ban", "user", "@z", { channel: "memes", lift: true })).toEqual(["@zoe (fid 8)"]);
    expect((await names("invite", "user", "", { channel: "memes", revoke: true })).slice(1)).toEqual([
      "@pia (fid 7)",
      "@adam (fid 20)",
    ]);
    expect(await names("invite", "user", "ad")).toEqual([]);
    expect(await names("undo", "what", "@z", { channel: "art" })).toEqual([]);
  });

  test("for a list of cases those come first who have any", async () => {
    await addCase(8);
    expect((await names("case show", "user", ""))[0]).toBe("@zoe (fid 8)");
  });
});

describe("casts", () => {
  test("have their author's name and are of this channel alone", async () => {
    const found = await suggested("hide", "cast", "copper");
    expect(found.map(({ name }) => name)).toEqual([
      "@adam, 1 min ago: Try copper tape.",
      "@pia, 2 min ago: Try copper tape.",
    ]);
  });

  test("are found by their author's name", async () => {
    expect(await names("hide", "cast", "@pi")).toEqual(["@pia, 2 min ago: Try copper tape."]);
  });

  test("show whether they are hidden by whether they are offered", async () => {
    expect(await names("undo", "what", "already")).toEqual(["Show again: @adam, 20 s ago: hidden already"]);
    expect(await names("hide", "cast", "hidden already")).toEqual([]);
  });

  test("are offered for a report to whoever holds no right, where nobody hid them", async () => {
    const member = { userId: "5", guildId, roomId: "room", roleIds: [], managesServer: false };
    const offered = (path: string, at = member) =>
      findHandler(commands, path)?.options["cast"]?.suggest?.("co", commandContext(bot, at), {});
    expect((await offered("report"))?.map(({ name }) => name)).toEqual([
      "@adam in /art, 10 s ago: Copper in art",
      "@adam in /memes, 1 min ago: Try copper tape.",
      "@pia in /memes, 2 min ago: Try copper tape.",
    ]);
    expect(await offered("hide")).toEqual([]);
    expect(await offered("report", { ...member, guildId: "901" })).toEqual([]);
  });

  test("say their channel where it may be one of several", async () => {
    expect((await names("hide", "cast", "copper", {}))[0]).toBe("@adam in /art, 10 s ago: Copper in art");
  });
});

test("numbers of cases are offered with what they stand for", async () => {
  const { number } = await addCase(20);
  const found = await suggested("case show", "number", "adam");
  expect(found).toEqual([{ name: expect.stringContaining(`C-${number}: Ban @adam`), value: `C-${number}` }]);
  for (const typed of [`c-${number}`, `#${number}`, ""]) {
    expect(await suggested("case show", "number", typed)).toContainEqual(found[0]);
  }
});

test("numbers of bulks are offered with what they did", async () => {
  const by = { userId: "1" };
  const asked = {
    guildId,
    channelId: "memes",
    kind: "hide" as const,
    selection: "casts of",
    subjectFid: 7,
    by,
  };
  await bot.database.transaction((tx) =>
    beginBulk(bot, tx, asked, [{ kind: "hide", targetCast: `0x${"a".repeat(40)}` }]),
  );
  for (const [path, option] of [
    ["case show", "number"],
    ["undo", "what"],
  ] as const) {
    expect(await suggested(path, option, "B-1")).toEqual([
      { name: "B-1: 0 casts hidden (casts of @pia), 0 s ago", value: "B-1" },
    ]);
  }
});

test("numbers of feeds and of what waits for a decision are offered with what they stand for", async () => {
  const feed = {
    guildId,
    roomId: "room",
    channelIds: ["memes"],
    kinds: ["bans" as const],
    namePattern: null,
  };
  const number = await addFeed(bot, { ...feed, peopleOnly: false, createdBy: "1" });
  for (const path of ["feed remove", "feed edit"]) {
    expect(await suggested(path, "number", "bans")).toEqual([
      { name: `${number}: #room, /memes, bans`, value: number },
    ]);
  }
  const { id } = await bot.database.query
    .insertInto("castellan.review_items")
    .values({
      guild_id: guildId,
      channel_id: "memes",
      queue: "names",
      event_id: 1,
      rule_id: "impostors",
      rule_version: 1,
      depth: 1,
      fid: 7,
      cast_hash: null,
      evidence: null,
      why: null,
      actions: "[]",
      queued_at_ms: bot.clock.now(),
      claimed_by: null,
      claimed_at_ms: null,
      reminded_at_ms: null,
      decided_by: null,
      decided_at_ms: null,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  const offered = async () => (await suggested("review show", "number", "pia")).map(({ name }) => name);
  expect(await offered()).toEqual([`R-${id}: rule impostors @pia in /memes, 0 s ago`]);
  await bot.database.query.updateTable("castellan.review_items").set({ rule_id: "@reports" }).execute();
  expect(await offered()).toEqual([`R-${id}: Member reports @pia in /memes, 0 s ago`]);
});

test("channels are offered for a link that are one's own and not linked", async () => {
  await bot.net.seed.channel("garden", { owner: people.moderator });
  await bot.net.seed.channel("other", { owner: people.owner });
  expect(await suggested("setup link", "channel", "")).toEqual([{ name: "/garden", value: "garden" }]);
});

test("spans of time are in one unit, rounded", () => {
  expect([0, 59, 89, 3570, 100_000, 200_000].map((seconds) => formatDuration(seconds))).toEqual([
    "0 s",
    "59 s",
    "1 min",
    "1 h",
    "28 h",
    "2 days",
  ]);
});
