import { beforeEach, describe, expect, test } from "vitest";
import { describeHiddenCasts } from "../../commands/shared/describe-history.ts";
import { addFeed } from "../../src/feed/feeds.ts";
import { giveCapabilities } from "../../src/moderation/capabilities.ts";
import { deliverAll } from "../support/jobs.ts";
import { createRooms } from "../../src/discord/rooms.ts";
import { castRow } from "../support/rules.ts";
import { linkGuild, people, verifyDiscord } from "../support/world.ts";
import { testToken } from "../support/discord.ts";
import { useBotInDiscord } from "../support/scenes.ts";

let cast: string;

const scene = await useBotInDiscord();
beforeEach(async () => {
  const { query } = scene.bot.database;
  await query
    .insertInto("castellan.names")
    .values({ name: "trudy", fid: people.troll, owner: "0x", since: 1 })
    .execute();
  cast = await scene.bot.net.seed.cast({ fid: people.troll, channelId: "memes", text: "@everyone **buy**" });
  const row = castRow(cast, { fid: people.troll, text: "@everyone **buy**", cast_at: 1_600_000_000 });
  await query.insertInto("castellan.casts").values(row).execute();
  const elsewhere = castRow(`0x${"e".repeat(40)}`, {
    fid: people.troll,
    channel_id: "secret",
    text: "elsewhere",
  });
  await query.insertInto("castellan.casts").values(elsewhere).execute();
});

describe("/who", () => {
  test("shows one card of a person: standing, casts, cases, and the buttons for what comes next", async () => {
    const ban = await scene.run("moderator", "ban", { user: "7", reason: "spam", duration: "permanent" });
    await scene.click("moderator", ban, "Ban");
    await scene.bot.database.query
      .insertInto("castellan.listing_entries")
      .values({
        channel_id: "memes",
        listing: "bans",
        fid: 7,
        at: 1_600_000_100,
        role: null,
        inviter_fid: null,
      })
      .execute();
    const seen = await scene.run("moderator", "who", { user: "@trudy" });
    expect(seen.text).toContain("**@trudy** (fid 7)");
    expect(seen.text).toContain("**banned** <t:1600000100:R>, permanently (C-1): spam");
    expect(seen.text).toContain("1 cast seen, 0 hidden");
    expect(seen.text).toContain("earlier: 1 ban");
    expect(seen.text).toContain("C-1** Ban");
    expect(seen.text).not.toContain("elsewhere");
    expect(seen.message.mentionsEveryone).toBe(false);
    expect(Object.keys(seen.buttons)).toEqual([
      "History in /memes",
      "Lift the ban from /memes",
      "Change the ban in /memes",
      "Hide 1",
    ]);
    const preview = await scene.ask("moderator", seen, "Hide 1");
    expect(preview.text).toContain("Hide from /memes?");
    expect((await scene.click("moderator", preview, "Hide")).text).toContain("C-2 · Hide · done");
    expect((await scene.ask("moderator", seen, "History in /memes")).text).toContain("C-1");
    expect(scene.discord.context.violations).toEqual([]);
  });

  test("offers a ban where they are not banned yet, and elsewhere to lift it", async () => {
    const { bot, discord } = scene;
    await bot.net.seed.channel("art", { owner: people.owner, moderators: [people.moderator, bot.botFid] });
    await linkGuild(bot, "art", discord.guildId);
    const labels = async () =>
      Object.keys((await scene.run("moderator", "who", { user: "7" })).buttons).filter((label) =>
        /ban/i.test(label),
      );
    expect(await labels()).toEqual(["Ban"]);
    expect(Object.keys((await scene.run("moderator", "who", { user: "7" })).buttons)).toContain("Invite");
    const ban = await scene.run("moderator", "ban", {
      user: "7",
      channel: "art",
      duration: "permanent",
      reason: "spam",
    });
    await scene.click("moderator", ban, "Ban");
    await bot.database.query
      .insertInto("castellan.listing_entries")
      .values({ channel_id: "art", listing: "bans", fid: 7, at: 1, role: null, inviter_fid: null })
      .execute();
    expect(await labels()).toEqual(["Lift the ban from /art", "Ban from /memes"]);
  });

  test("names the owner who blocks them", async () => {
    const { database, net, network } = scene.bot;
    await database.query
      .insertInto("castellan.names")
      .values({ name: "olga", fid: people.owner, owner: "0x", since: 1 })
      .execute();
    const { channel } = await network.channels.get({ channelId: "memes" });
    await database.query
      .insertInto("castellan.channel_snapshots")
      .values({ channel_id: "memes", channel_json: JSON.stringify(channel) })
      .execute();
    await net.as(people.owner).blockedUsers.block({ blockFid: people.troll });
    const seen = await scene.run("moderator", "who", { user: "@trudy" });
    expect(seen.text).toContain(`**Blocked by** **@olga** (fid ${people.owner}), who owns a channel here.`);
  });

  test("counts hides among the cases, and says that they are hidden", async () => {
    const preview = await scene.run("moderator", "hide", { cast });
    await scene.click("moderator", preview, "Hide");
    await scene.bot.database.query.updateTable("castellan.casts").set({ hidden: true }).execute();
    const seen = await scene.run("moderator", "who", { user: "7" });
    expect(seen.text).toContain("1 cast seen, 1 hidden");
    expect(seen.text).toContain("earlier: 1 hide");
    expect(Object.keys(seen.buttons)).toContain("Unhide 1");
  });

  test("counts what a ban hides beside what was hidden one by one, and leaves out cases that failed", async () => {
    const { query } = scene.bot.database;
    for (const [hash, hidden] of [
      [`0x${"1".repeat(40)}`, false],
      [`0x${"2".repeat(40)}`, false],
      [`0x${"3".repeat(40)}`, true],
    ] as const) {
      const reply = castRow(hash, {
        fid: people.troll,
        parent_hash: cast,
        text: "a reply",
        hidden,
        cast_at: 1_600_000_001,
      });
      await query.insertInto("castellan.casts").values(reply).execute();
    }
    const before = await scene.run("moderator", "who", { user: "7" });
    expect(before.text).toContain("4 casts seen, 1 hidden\n");
    await scene.click(
      "moderator",
      await scene.run("moderator", "ban", { user: "7", duration: "permanent", reason: "spam" }),
      "Ban",
    );
    const unban = await scene.run("moderator", "undo", { what: "fid 7" });
    expect(unban.text).toContain("4 casts seen in /memes, 1 hidden, 2 more hidden by the ban.");
    const seen = await scene.run("moderator", "who", { user: "7" });
    expect(seen.text).toContain("4 casts seen, 1 hidden, 2 more hidden by the ban");
    // The sum, and each of the two.
    expect(seen.text.match(/hidden by the ban/g)).toHaveLength(3);
    expect(seen.text).toContain("earlier: 1 ban");
    const hide = await scene.run("moderator", "hide", { cast: `0x${"1".repeat(40)}` });
    expect(hide.text).toContain("hidden now by the author's ban");
    await scene.click("moderator", unban, "Lift the ban");
    await query.updateTable("castellan.cases").set({ state: "failed" }).where("kind", "=", "unban").execute();
    // Neither a ban that was lifted nor an unban that failed counts against them.
    expect((await scene.run("moderator", "who", { user: "7" })).text).not.toContain("earlier:");
  });

  test("shows only channels in which whoever asks may look, and refuses strangers", async () => {
    expect((await scene.run("stranger", "who", { user: "7" })).text).toContain("You may not view");
    const { bot, discord } = scene;
    await bot.net.seed.channel("art", { owner: people.troll, moderators: [bot.botFid] });
    const given = {
      guildId: discord.guildId,
      channelId: "memes",
      roleId: discord.guildId,
      capabilities: ["view"] as const,
    };
    await bot.database.transaction((tx) => giveCapabilities(tx, given));
    const seen = await scene.run("stranger", "who", { user: "7" });
    expect(seen.text).toContain("/memes");
    expect(seen.text).not.toContain("/art");
    const refused = await scene.ask("stranger", seen, "Hide 1");
    expect(refused.text).toContain("You may not hide casts of /memes");
  });

  test("stands on our own rows where the network is silent", async () => {
    const silent = () => new Promise<never>(() => {});
    const network = {
      ...scene.bot.network,
      transfers: { ...scene.bot.network.transfers, list: silent },
    };
    await scene.restart({ network });
    const seen = await scene.run("moderator", "who", { user: "7" });
    expect(seen.text).toContain("The network did not answer: names.");
    expect(seen.text).toContain("1 cast seen");
    await scene.restart();
  });
});

describe("menus", () => {
  test("of a person show who they are on Farcaster, or say that nobody knows", async () => {
    await verifyDiscord(scene.bot, people.troll, scene.users.member);
    expect((await scene.openMenu("moderator", "Who", "member")).text).toContain("**@trudy** (fid 7)");
    expect((await scene.openMenu("moderator", "Who", "stranger")).text).toContain(
      "does not know the Farcaster account",
    );
    expect((await scene.openMenu("stranger", "Who", "member")).text).toContain("You may not view");
  });

  test("of any message find the cast whose link stands in it", async () => {
    const said = scene.discord.people.say({
      user: "member",
      room: "general",
      content: `see https://x.example/${cast}`,
    });
    const preview = await scene.openMenu("moderator", "Hide", said.id);
    expect(preview.text).toContain("Hide from /memes?");
    expect((await scene.openMenu("moderator", "Ban author", said.id)).text).toContain("**@trudy** (fid 7)");
    expect((await scene.openMenu("moderator", "History", said.id)).text).toContain("No cases");
    const other = scene.discord.people.say({ user: "member", room: "general", content: "gm" });
    expect((await scene.openMenu("moderator", "Hide", other.id)).text).toContain("is not about a cast");
  });

  test("of a feed's message ask which where it tells of several", async () => {
    const { bot, discord } = scene;
    const roomId = discord.rooms.feed;
    const feed = { guildId: discord.guildId, roomId, channelIds: null, namePattern: null, peopleOnly: false };
    await addFeed(bot, { ...feed, kinds: ["bans"], createdBy: "1" });
    const at = Math.floor(bot.clock.now() / 1000);
    const common = { channelId: "memes", occurredAt: at, observedAt: at * 1000, depth: 0, caseId: null };
    await bot.happen(
      { ...common, kind: "user.banned", sourceKey: "a", subjectFid: 7, data: { at } },
      { ...common, kind: "user.banned", sourceKey: "b", subjectFid: 3, data: { at } },
    );
    const rooms = createRooms({ token: testToken, api: discord.api, onRefused: () => {} });
    await deliverAll(bot, rooms);
    const posted = [...discord.context.world.messages.values()]
      .flat()
      .find((message) => message.roomId === roomId);
    const asked = await scene.openMenu("moderator", "Who", posted?.id ?? "", "feed");
    expect(asked.text).toBe("Which one?");
    expect((await scene.choose("moderator", asked, "@trudy in /memes")).text).toContain("(fid 7)");
    expect(scene.discord.context.violations).toEqual([]);
  });
});

describe("/who without a user", () => {
  test("lists members, or those whose name begins so", async () => {
    await scene.bot.database.query
      .insertInto("castellan.listing_entries")
      .values({ channel_id: "memes", listing: "members", fid: 3, at: 1, role: null, inviter_fid: null })
      .execute();
    expect((await scene.run("moderator", "who")).text).toContain("fid 3 · since");
    expect((await scene.run("moderator", "who", { name: "tru" })).text).toContain("0 whose name");
  });
});

test.each([
  [{ hidden: 0, hiddenByBan: 0 }, "0 hidden"],
  [{ hidden: 0, hiddenByBan: 1 }, "1 hidden by the ban"],
  [{ hidden: 3, hiddenByBan: 12 }, "3 hidden, 12 more hidden by the ban"],
])("of casts %j is told as %s", (counts, says) => {
  expect(describeHiddenCasts({ seen: 20, ...counts })).toBe(says);
});
