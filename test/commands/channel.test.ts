import { PermissionFlagsBits } from "discord.js";
import { beforeEach, describe, expect, test } from "vitest";
import { AppError } from "../../src/errors.ts";
import { giveCapabilities } from "../../src/moderation/capabilities.ts";
import { linkGuild, troubleNetwork, verifyDiscord } from "../support/world.ts";
import { saveRules } from "../../src/rules/versions/rules-of-server.ts";
import { rule, ruleFile, ruleSetOf } from "../support/rules.ts";
import { useBotInDiscord } from "../support/scenes.ts";

const scene = await useBotInDiscord();

function links() {
  return scene.bot.database.query.selectFrom("castellan.links").selectAll().orderBy("channel_id").execute();
}

const roleId = () =>
  [...scene.discord.context.world.guilds.values()][0]?.roles.find(({ name }) => name === "Moderator")?.id ??
  "";

/** Gives the role Moderator Discord's "Manage Server" permission, or takes it. */
function manageServer(holds: boolean): void {
  const role = scene.discord.context.world.guilds
    .get(scene.discord.guildId)
    ?.roles.find(({ name }) => name === "Moderator");
  if (!role) throw new Error("there is no role Moderator");
  role.permissions = String(
    holds
      ? BigInt(role.permissions) | PermissionFlagsBits.ManageGuild
      : BigInt(role.permissions) & ~PermissionFlagsBits.ManageGuild,
  );
}

describe("/setup link and unlink", () => {
  beforeEach(async () => {
    await scene.bot.net.seed.channel("art", { owner: 1, moderators: [2] });
  });

  test("says which of the server's rules look at the channel from now on", async () => {
    const { bot, discord } = scene;
    const ofMemes = rule({ channels: ["memes"] });
    let baseVersion = 0;
    const linked = async (...rules: object[]) => {
      const saved = { guildId: discord.guildId, change: "import", savedBy: "1", savedAt: 0, baseVersion };
      const ruleSet = ruleSetOf(...rules);
      baseVersion = await bot.database.transaction((tx) => saveRules(tx, { ...saved, ruleSet }));
      return (await scene.run("owner", "setup link", { channel: "art" })).text;
    };
    expect(await linked(ofMemes)).toContain("None of this server's 1 rule covers it. See /rule show.");
    expect(await linked(ofMemes, rule({ id: "all" }))).toContain(
      "1 of this server's 2 rules covers it from now on",
    );
  });

  test("takes proof, the verified account of an owner or moderator, and Manage Server here", async () => {
    for (const user of ["stranger", "moderator"]) {
      const refused = await scene.run(user, "setup link", { channel: "art" });
      expect(refused.text).toContain(
        'takes Discord\'s "Manage Server" permission here, as well as the proof',
      );
    }
    expect(await links()).toHaveLength(1);
    manageServer(true);
    const linked = await scene.run("moderator", "setup link", { channel: "/art" });
    manageServer(false);
    expect(linked.text).toContain("/art is linked");
    expect(linked.text).toContain("does not moderate it yet");
    expect(await links()).toMatchObject([{ channel_id: "art", linked_by: scene.users.moderator }, {}]);
    expect((await scene.run("owner", "setup link", { channel: "art" })).text).toContain("renewed");
  });

  test("a verification of another platform or another person proves nothing", async () => {
    await scene.bot.database.query.deleteFrom("network.verifications").execute();
    await verifyDiscord(scene.bot, 1, "1");
    await scene.bot.database.query
      .insertInto("network.verifications")
      .values({
        fid: 1,
        platform: "x",
        platform_id: scene.users.owner,
        platform_username: "o",
        verified_at: 1,
      })
      .execute();
    expect((await scene.run("owner", "setup link", { channel: "art" })).text).toContain("Nobody who owns");
  });

  test("the operator may allow a server, in which only those who manage it link", async () => {
    const settings = {
      ...scene.bot.settings,
      channelGuilds: () => new Map([["art", new Set([scene.discord.guildId])]]),
    };
    await scene.bot.database.query.deleteFrom("network.verifications").execute();
    await scene.restart({ settings });
    expect((await scene.run("moderator", "setup link", { channel: "art" })).text).toContain("Manage Server");
    expect((await scene.run("owner", "setup link", { channel: "art" })).text).toContain("is linked");
    await scene.restart();
  });

  test("an unknown channel is said to be unknown", async () => {
    expect((await scene.run("owner", "setup link", { channel: "nowhere" })).text).toContain(
      "no channel called nowhere",
    );
    expect((await scene.run("owner", "setup link", { channel: "A B" })).text).toContain("Not a channel");
  });

  test("unlinking asks, forgets what roles could do, and keeps the cases", async () => {
    await scene.run("owner", "setup permissions", { role: "Moderator", give: "everything" });
    const preview = await scene.run("owner", "setup unlink");
    expect(preview.text).toContain("Cases stay");
    expect((await scene.click("owner", preview, "End the link")).text).toContain("no longer linked");
    expect(await links()).toEqual([]);
    expect((await scene.run("owner", "who")).text).toContain("not linked to any channel yet");
    expect(await scene.bot.database.query.selectFrom("castellan.capabilities").selectAll().execute()).toEqual(
      [],
    );
  });
});

describe("a channel that is gone", () => {
  beforeEach(async () => {
    await scene.bot.net.seed.channel("art", { owner: 1, moderators: [9001] });
    await linkGuild(scene.bot, "art", scene.discord.guildId, scene.users.owner);
    await scene.bot.net.api.operator.deleteChannel({ id: "art" });
  });

  test("is named by /status with how to end it, and keeps nobody from the rules of others", async () => {
    const status = await scene.run("owner", "status");
    expect(status.text).toContain("/art: **gone**");
    expect(status.text).toContain("use /setup unlink");
    expect(status.text).toContain("/memes: fine");
    const text = ruleFile([rule()]);
    const preview = await scene.run("owner", "rule import", { text });
    expect((await scene.click("owner", preview, "Put in force")).text).toContain("Version 1 is in force");
  });

  test("is unlinked by Manage Server, whoever linked it, or a role, also while the network is down", async () => {
    const network = troubleNetwork(
      scene.bot.network,
      "channels",
      "get",
      () => new AppError("network_unreachable", "Nobody is there."),
      "before",
    );
    await scene.restart({ network });
    const unlink = (user: string) => scene.run(user, "setup unlink", { channel: "art" });
    expect((await unlink("member")).text).toMatch(/may not end the link to \/art.*Manage Server.*just now/);
    manageServer(true);
    expect((await unlink("moderator")).text).toContain("End the link to /art?");
    manageServer(false);
    const given = { guildId: scene.discord.guildId, channelId: "art", roleId: roleId() };
    await scene.bot.database.transaction((tx) => giveCapabilities(tx, { ...given, capabilities: ["link"] }));
    expect((await unlink("moderator")).text).toContain("End the link to /art?");
    await scene.bot.database.query
      .updateTable("castellan.links")
      .set({ linked_by: scene.users.member })
      .execute();
    const preview = await unlink("member");
    expect((await scene.click("member", preview, "End the link")).text).toContain("no longer linked");
    expect(await links()).toMatchObject([{ channel_id: "memes" }]);
    await scene.restart();
  });

  test("leaves the rules of a server that has no other to Manage Server", async () => {
    await scene.bot.database.query.deleteFrom("castellan.links").where("channel_id", "=", "memes").execute();
    const text = ruleFile([rule()]);
    expect((await scene.run("member", "rule import", { text })).text).toContain("no longer knows /art");
    expect((await scene.run("owner", "rule import", { text })).text).toContain("Put these rules in force?");
  });
});

test("/status of a channel shows the card, with whether Castellan moderates", async () => {
  const seen = await scene.run("moderator", "status", { channel: "memes" });
  expect(seen.text).toContain("memes (/memes)");
  expect(seen.text).toContain("Castellan moderates it: yes");
  expect(seen.text).toContain("Followers: 0 · members: 4");
});

test("/status of a channel names its people, and counts as people write numbers", async () => {
  const { query } = scene.bot.database;
  const name = { name: "o_na", fid: 1, owner: "0x", since: 1 };
  await query.insertInto("castellan.names").values(name).execute();
  await query.updateTable("network.channels").set({ follower_count: 50_000 }).execute();
  const { text } = await scene.run("moderator", "status", { channel: "memes" });
  expect(text).toContain("Owner: **@o\\_na** (fid 1)");
  expect(text).toContain("Moderators: fid 2; fid 9001, the bot");
  expect(text).toContain("Followers: 50,000 · members: 4");
});

test("/status of a channel shows what became of an invite a moment ago", async () => {
  await scene.bot.net.seed.channel("art", { owner: 1, moderators: [2] });
  await linkGuild(scene.bot, "art", scene.discord.guildId);
  const info = async () => (await scene.run("owner", "status", { channel: "art" })).text;
  expect(await info()).toContain(
    "**no**: the owner has to invite fid 9001, as member and then as moderator.",
  );
  const invites = scene.bot.net.as(1).channelInvites;
  await invites.invite({ channelId: "art", inviteFid: 9001, role: "member" });
  expect(await info()).toContain(
    "**no**: it is a member, and the owner has to invite fid 9001 as moderator.",
  );
  await invites.invite({ channelId: "art", inviteFid: 9001, role: "moderator" });
  const text = await info();
  expect(text).toContain("Castellan moderates it: yes");
  expect(text).toContain("fid 9001, the bot");
});

test("the channel may be left out where the room follows one of several", async () => {
  await scene.bot.net.seed.channel("art", { owner: 1, moderators: [9001] });
  await scene.run("owner", "setup link", { channel: "art" });
  const asked = await scene.run("owner", "who");
  expect(asked.text).toBe("Which channel?");
  expect(Object.keys(asked.menu.values)).toEqual(["/art", "/memes"]);
  expect((await scene.choose("owner", asked, "/memes")).text).toContain("Members of /memes");
  await scene.run("owner", "feed add", { channel: "art", room: "mod-log" });
  expect((await scene.run("owner", "who", {}, "mod-log")).text).toContain("Members of /art");
});

test("the menu of channels works once, only for the person who ran the command, and continues it", async () => {
  await scene.bot.net.seed.channel("art", { owner: 1, moderators: [9001] });
  await scene.run("owner", "setup link", { channel: "art" });
  const asked = await scene.run("owner", "ban", { user: "7", reason: "spam", duration: "permanent" });
  const { message, menu } = asked;
  const again = { room: message.roomId, message: message.id, customId: menu.customId };
  const preview = await scene.choose("owner", asked, "/memes");
  expect(preview.text).toContain("Ban from /memes?");
  expect(preview.text).toContain("Reason: spam");
  expect(() => scene.discord.people.select({ user: "owner", ...again, values: ["0"] })).toThrow(
    /no longer has this/,
  );
  expect((await scene.click("owner", preview, "Ban")).text).toContain("C-1 · Ban · done");
  // Who may act in one of them alone is not asked which.
  await scene.bot.database.query.deleteFrom("network.verifications").where("fid", "=", 1).execute();
  expect(scene.discord.context.violations).toEqual([]);
});

test("a channel that does not exist is told apart from one that is not linked", async () => {
  await scene.bot.net.seed.channel("art", { owner: 1 });
  const info = (channel: string) => scene.run("owner", "status", { channel });
  expect((await info("meme")).text).toBe(
    'There is no channel called meme; did you mean "memes"? This server is linked to memes.',
  );
  expect((await info("art")).text).toContain("This server is not linked to art.");
});

test("a suspended link lets nobody act, and is renewed by /setup link", async () => {
  await scene.bot.database.query
    .updateTable("castellan.links")
    .set({ suspended_at_ms: 1, suspended_reason: "rights are gone." })
    .execute();
  expect(
    (await scene.run("owner", "ban", { user: "7", duration: "permanent", reason: "spam" })).text,
  ).toContain("suspended: rights are gone.");
  expect((await scene.run("owner", "status")).text).toContain("suspended");
  await scene.run("owner", "setup link", { channel: "memes" });
  expect((await scene.run("owner", "who")).text).toContain("Members of /memes");
});

test("/who names the owner and the moderators of a list, and /status links to the pinned cast", async () => {
  const { query } = scene.bot.database;
  const entry = { channel_id: "memes", listing: "members", at: 1, role: null, inviter_fid: null } as const;
  await query
    .insertInto("castellan.listing_entries")
    .values([1, 2, 3].map((fid) => ({ ...entry, fid })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const { text } = await scene.run("owner", "who");
  expect(text).toMatch(/fid 1\b.* · \*\*owner\*\* · since/);
  expect(text).toMatch(/fid 2\b.* · \*\*moderator\*\* · since/);
  expect(text).toMatch(/fid 3\b.* · since/);
  const pinned = `0x${"ab".repeat(20)}`;
  await query.updateTable("network.channels").set({ pinned_cast_hash: pinned }).execute();
  expect((await scene.run("moderator", "status", { channel: "memes" })).text).toMatch(
    /Pinned: \[.*\]\(https:.*0xabab/,
  );
});
