import { beforeEach, describe, expect, test } from "vitest";
import type { CommandContext } from "../../src/discord/command-context.ts";
import { usualFeedKinds } from "../../src/feed/feed-kinds.ts";
import { addFeed } from "../../src/feed/feeds.ts";
import type { Rooms } from "../../src/feed/rooms.ts";
import { commands } from "../../commands/index.ts";
import { findHandler } from "../../src/discord/find-handler.ts";
import { readArguments } from "../../src/discord/run-command.ts";
import { addCasts } from "../support/casts.ts";
import { preview } from "../support/confirmed.ts";
import { deliverAll } from "../support/jobs.ts";
import { banEverywhere, channelIds, troll, typed, useThreeChannels } from "../support/three-channels.ts";
import { botFid, people, seedChannel, silentRooms } from "../support/world.ts";

const { bot, createModerator, withRole, bannedFrom } = await useThreeChannels();
let moderator: CommandContext;

beforeEach(() => {
  moderator = createModerator();
});

async function banIn(channel: string, raw: { duration: string }): Promise<void> {
  await (await preview(moderator, "ban", { user: troll, reason: "spam", channel, ...raw })).act();
}

describe("a ban everywhere", () => {
  test("has one number and one undo over all channels, also for casts", async () => {
    await addCasts(bot, 2, { fid: people.troll });
    const { text, label, act } = await preview(moderator, "ban", { ...typed, hide_casts: true });
    expect(text).toContain("Ban from 3 channels?");
    expect(text).toContain(" · in /art, /games, /memes\n");
    expect(text).toContain("All 2 visible casts of theirs will be hidden as well.");
    expect(label).toBe("Ban");
    expect(await bannedFrom()).toEqual([]);
    const done = await act();
    expect(done).toContain("B-1 · Ban · 3 channels · done\n**3 bans, 2 casts hidden**\nart, games, memes");
    expect(done).toContain("a ban everywhere of fid 7");
    expect(await bannedFrom()).toEqual(channelIds);
    const cases = await bot.database.query.selectFrom("castellan.cases").selectAll().orderBy("id").execute();
    expect(cases.map(({ channel_id, kind, number }) => [channel_id, kind, number])).toEqual([
      ["art", "ban", 1],
      ["games", "ban", 2],
      ["memes", "ban", 3],
      ["memes", "hide", 4],
      ["memes", "hide", 5],
    ]);
    const undo = await preview(moderator, "undo", { what: "B-1" });
    expect(undo.text).toContain("Undo B-1?");
    expect(undo.text).toContain("3 bans are lifted");
    expect(undo.text).toContain("2 casts show again.");
    expect(await undo.act()).toContain("B-2 · Undo · 3 channels · done");
    expect(await bannedFrom()).toEqual([]);
  });

  test("is one post in each room that follows any of its channels", async () => {
    const posts: string[] = [];
    const rooms: Rooms = {
      ...silentRooms,
      post: async (room, { embeds }) => String(posts.push(`${room}: ${embeds[0]?.title}`)),
    };
    const followedBy: Record<string, string[] | null> = {
      10: null,
      11: ["memes"],
      12: ["memes", "games"],
      13: ["art"],
    };
    for (const [roomId, followed] of Object.entries(followedBy)) {
      const feed = { guildId: "g1", roomId, channelIds: followed, kinds: [...usualFeedKinds] };
      await addFeed(bot, { ...feed, namePattern: null, peopleOnly: false, createdBy: "1" });
    }
    // Not in /art.
    await bot.database.query.deleteFrom("castellan.links").where("channel_id", "=", "art").execute();
    await banEverywhere(moderator);
    await deliverAll(bot, rooms);
    expect(posts.toSorted()).toEqual([
      "10: B-1 · Ban · 2 channels · done",
      "11: B-1 · Ban · memes · done",
      "12: B-1 · Ban · 2 channels · done",
    ]);
  });

  test("leaves out and names channels where it changes nothing or cannot be done", async () => {
    for (const channelId of ["staff", "left", "foreign"]) await seedChannel(bot, channelId, "g1");
    const owner = bot.net.as(people.owner);
    await owner.channelInvites.remove({ channelId: "left", removeFid: botFid, role: "moderator" });
    await bot.database.query
      .insertInto("network.memberships")
      .values({ channel_id: "staff", fid: people.troll, role: "moderator", member_at: 1 })
      .execute();
    await bot.database.query
      .deleteFrom("network.memberships")
      .where("channel_id", "=", "foreign")
      .where("fid", "=", people.moderator)
      .execute();
    await (await preview(moderator, "ban", { user: troll, duration: "9d", channel: "art" })).act();
    const { text, act } = await preview(moderator, "ban", typed);
    const until = Math.floor(bot.clock.now() / 1000) + 9 * 86_400;
    expect(text).toContain("Ban from 2 channels?");
    expect(text).toContain(" · in /games, /memes\n");
    expect(text).toContain(`✖ /art: banned already, until <t:${until}:f>`);
    expect(text).toContain("✖ /staff: only the owner can ban a moderator");
    expect(text).toContain("✖ /left: Castellan (fid 9001) does not moderate left");
    expect(text).not.toContain("foreign");
    expect(await act()).toContain("**2 bans**");
    const again = await preview(moderator, "ban", typed);
    expect(again.text).toContain("No channel to ban from");
    expect(again.text).toContain("There is nothing to confirm.");
  });

  test("asks for the length, and takes a reason before a permanent one", async () => {
    const handler = findHandler(commands, "ban");
    if (handler?.kind !== "confirm") throw new Error("no question");
    const raw = { user: troll, everywhere: true };
    const { question } = await handler.preview(
      moderator,
      await readArguments(moderator, handler.options, raw),
    );
    expect(question?.answers.map((one) => [one.label, "form" in one])).toEqual([
      ["1 day", false],
      ["7 days", false],
      ["30 days", false],
      ["Permanent", true],
    ]);
    expect(question?.changes.map(({ label }) => label)).toEqual([
      "Add a reason",
      "Hide their casts too",
      "In one channel",
    ]);
  });

  test("does not reach a channel where the right was lost before the click", async () => {
    const role = await withRole({ memes: ["ban"], art: ["ban"], games: ["view"] });
    const { text, act } = await preview(role, "ban", typed);
    expect(text).toContain(" · in /art, /memes\n");
    await bot.database.query.deleteFrom("castellan.capabilities").where("channel_id", "=", "art").execute();
    const done = await act();
    expect(done).toContain("**1 user banned**");
    expect(done).toContain("**Left out:**\n✖ /art: You may not ban people from /art.");
    expect(await bannedFrom()).toEqual(["memes"]);
  });

  test("hides casts only where that is allowed, too, and bans elsewhere without", async () => {
    await addCasts(bot, 2, { fid: people.troll });
    const role = await withRole({ memes: ["ban"], art: ["ban", "hide"] });
    const { text, act } = await preview(role, "ban", { ...typed, hide_casts: true });
    expect(text).toContain(" · in /art, /memes\n");
    expect(text).toContain("**Left out:**\n✖ Casts in /memes: You may not hide casts of /memes.");
    const done = await act();
    expect(done).toContain("**2 bans**");
    expect(done).toContain("✖ Casts in /memes: You may not hide casts of /memes.");
    expect(await bannedFrom()).toEqual(["memes", "art"]);
  });

  test("hides casts also where the user is banned already", async () => {
    await addCasts(bot, 2, { fid: people.troll });
    await banIn("memes", { duration: "30d" });
    const { text, act } = await preview(moderator, "ban", { ...typed, hide_casts: true });
    expect(text).toContain("Ban from 2 channels?");
    expect(text).toMatch(/In \/memes: banned already, until [^\n]*; only their casts are hidden/);
    expect(text).toContain("All 2 visible casts of theirs will be hidden as well.");
    expect(text).not.toContain("Left out");
    expect(await act()).toContain("**2 bans, 2 casts hidden**");
    await (await preview(moderator, "undo", { what: "B-1" })).act();
    for (const channel of ["art", "games"]) await banIn(channel, { duration: "30d" });
    const casts = await preview(moderator, "ban", { ...typed, hide_casts: true });
    expect(casts.text).toContain("Hide casts in 1 channel?");
    expect(casts.label).toBe("Hide the casts");
    // Somebody lifts the ban before the click, which does not ban again.
    await (await preview(moderator, "undo", { what: `fid ${troll}`, channel: "memes" })).act();
    expect(await casts.act()).toContain("Hide · memes · done\n**2 casts hidden**");
    expect(await bannedFrom()).toEqual(["art", "games"]);
  });

  test("extends a ban that ends earlier, and shortens none", async () => {
    await banIn("art", { duration: "2d" });
    await banIn("games", { duration: "30d" });
    const open = await preview(moderator, "ban", { user: troll, everywhere: true });
    expect(open.text).toContain("Ban from 1 channel?");
    expect(open.text).toMatch(
      /In \/art: banned already, until [^\n]*; extended if the new ban lasts longer\./,
    );
    const { text, act } = await preview(moderator, "ban", typed);
    expect(text).toMatch(/In \/art: banned already, until [^\n]*; extended\.\n/);
    expect(text).toContain("✖ /games: banned already, until");
    const done = await act();
    expect(done).toContain("**1 user banned, 1 ban given another expiry**");
    // The preview had only /art and /memes.
    expect(done).not.toContain("games");
    const forGood = await preview(moderator, "ban", { ...typed, duration: "permanent" });
    expect(forGood.text).toContain("Extend the ban in 3 channels?");
    expect(forGood.label).toBe("Change the end");
    expect(await forGood.act()).toContain("**3 bans given another expiry**");
    const ends = await bot.database.query.selectFrom("castellan.standing_bans").select("until_ms").execute();
    expect(ends.map(({ until_ms }) => until_ms)).toEqual([null, null, null]);
    await (await preview(moderator, "undo", { what: "B-2" })).act();
    expect((await preview(moderator, "ban", { ...typed, duration: "permanent" })).text).toContain(
      "Extend the ban in 3 channels?",
    );
  });

  test("says after the click where the ban lasts longer than the length that was chosen", async () => {
    await banIn("art", { duration: "2d" });
    // The first answer is one day.
    const { act } = await preview(moderator, "ban", { user: troll, everywhere: true });
    const done = await act();
    expect(done).toContain("B-1 · Ban · 2 channels · done");
    expect(done).toContain("**Left out:**\n✖ /art: banned already, until");
  });

  test("is stopped by the person who began it, if they still have any right in it", async () => {
    const starter = await withRole({ memes: ["ban"], art: ["ban"] });
    await (await preview(starter, "ban", typed)).act();
    const reopen = () =>
      bot.database.query.updateTable("castellan.bulks").set({ ended_at_ms: null }).execute();
    await reopen();
    await bot.database.query.deleteFrom("castellan.capabilities").where("channel_id", "=", "art").execute();
    const stopped = (await preview(starter, "undo", { what: "B-1" })).text;
    expect(stopped).toContain("B-1 · Ban · memes · stopped");
    await reopen();
    await bot.database.query.deleteFrom("castellan.capabilities").execute();
    await expect(preview(starter, "undo", { what: "B-1" })).rejects.toThrow('you lack "view" in all');
  });

  test("takes in each channel only the rights to undo what it did there", async () => {
    await addCasts(bot, 2, { fid: people.troll });
    await (await preview(moderator, "ban", { ...typed, hide_casts: true })).act();
    const role = await withRole({ art: ["ban", "undo"], memes: ["view", "ban", "undo"] });
    const { text, act } = await preview(role, "undo", { what: "B-1" });
    expect(text).toContain("1 ban is lifted");
    expect(text).toContain("✖ /memes: You may not hide casts of /memes.");
    expect(await act()).toContain("B-2 · Undo · art · done");
  });
});
