import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { resetBot, startBotInDiscord, type BotInDiscord } from "../support/bot-in-discord.ts";
import { verifyDiscord } from "../support/bot.ts";

let scene: BotInDiscord;

beforeAll(async () => {
  scene = await startBotInDiscord();
});
afterAll(() => scene.stop());
beforeEach(() => resetBot(scene));

function links() {
  return scene.bot.database.query.selectFrom("castellan.links").selectAll().orderBy("channel_id").execute();
}

const roleId = () =>
  [...scene.discord.context.world.guilds.values()][0]?.roles.find(({ name }) => name === "Moderator")?.id ??
  "";

describe("/channel link and unlink", () => {
  beforeEach(async () => {
    await scene.bot.net.seed.channel("art", { owner: 1, moderators: [2] });
  });

  test("takes proof: the verified Discord account of an owner or moderator", async () => {
    expect((await scene.run("stranger", "channel link", { channel: "art" })).text).toContain(
      "has verified your",
    );
    expect(await links()).toHaveLength(1);
    const linked = await scene.run("moderator", "channel link", { channel: "/art" });
    expect(linked.text).toContain("/art is linked");
    expect(linked.text).toContain("does not moderate it yet");
    expect(await links()).toMatchObject([{ channel_id: "art", linked_by: scene.users.moderator }, {}]);
    expect((await scene.run("owner", "channel link", { channel: "art" })).text).toContain("renewed");
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
    expect((await scene.run("owner", "channel link", { channel: "art" })).text).toContain("Nobody who owns");
  });

  test("the operator may allow a server, in which only those who manage it link", async () => {
    const settings = {
      ...scene.bot.settings,
      channelGuilds: new Map([["art", new Set([scene.discord.guildId])]]),
    };
    await scene.bot.database.query.deleteFrom("network.verifications").execute();
    await scene.restart({ settings });
    expect((await scene.run("moderator", "channel link", { channel: "art" })).text).toContain(
      "Manage Server",
    );
    expect((await scene.run("owner", "channel link", { channel: "art" })).text).toContain("is linked");
    await scene.restart();
  });

  test("an unknown channel is said to be unknown", async () => {
    expect((await scene.run("owner", "channel link", { channel: "nowhere" })).text).toContain(
      "no channel called nowhere",
    );
    expect((await scene.run("owner", "channel link", { channel: "A B" })).text).toContain(
      "That is no channel",
    );
  });

  test("unlinking asks, forgets what roles could do, and keeps the cases", async () => {
    await scene.run("owner", "channel settings", { role: "Moderator", give: "everything" });
    const preview = await scene.run("owner", "channel unlink");
    expect(preview.text).toContain("Cases stay");
    expect((await scene.click("owner", preview, "End the link")).text).toContain("no longer linked");
    expect(await links()).toEqual([]);
    expect((await scene.run("owner", "channel info")).text).toContain("linked to no channel yet");
    expect(await scene.bot.database.query.selectFrom("castellan.capabilities").selectAll().execute()).toEqual(
      [],
    );
  });
});

describe("/channel settings", () => {
  test("gives a role a capability, which counts from the next command on, and takes it again", async () => {
    await scene.bot.database.query.deleteFrom("network.verifications").where("fid", "=", 2).execute();
    expect((await scene.run("moderator", "ban list")).text).toContain("You may not look");
    const given = await scene.run("owner", "channel settings", { role: "Moderator", give: "view" });
    expect(given.text).toContain(`<@&${roleId()}>: view`);
    expect((await scene.run("moderator", "ban list")).text).toContain("Nobody is banned");
    expect((await scene.run("moderator", "ban add", { user: "7" })).text).toContain("You may not ban");
    await scene.run("owner", "channel settings", { role: "Moderator", take: "everything" });
    expect((await scene.run("moderator", "ban list")).text).toContain("You may not look");
  });

  test("needs the right to change the link", async () => {
    const asked = { role: "Moderator", give: "ban" };
    expect((await scene.run("member", "channel settings", asked)).text).toContain(
      "You may not change the link and settings of /memes",
    );
  });

  test("says what is missing", async () => {
    expect((await scene.run("owner", "channel settings", { give: "ban" })).text).toContain("Say whose");
    expect((await scene.run("owner", "channel settings", { role: "Moderator" })).text).toContain(
      "what to give",
    );
  });
});

test("/channel info shows the card, with whether Castellan moderates", async () => {
  const seen = await scene.run("moderator", "channel info");
  expect(seen.text).toContain("memes (/memes)");
  expect(seen.text).toContain("Castellan moderates it: yes");
  expect(seen.text).toContain("Followers: 0 · members: 4");
});

test("the channel may be left out where the room follows one of several", async () => {
  await scene.bot.net.seed.channel("art", { owner: 1, moderators: [9001] });
  await scene.run("owner", "channel link", { channel: "art" });
  expect((await scene.run("owner", "channel info")).text).toContain(
    "linked to several channels (art, memes)",
  );
  await scene.run("owner", "feed add", { channel: "art", room: "mod-log" });
  expect((await scene.run("owner", "channel info", {}, "mod-log")).text).toContain("(/art)");
});

test("a suspended link lets nobody act, and is renewed by /channel link", async () => {
  await scene.bot.database.query
    .updateTable("castellan.links")
    .set({ suspended_at_ms: 1, suspended_reason: "rights are gone." })
    .execute();
  expect((await scene.run("owner", "ban add", { user: "7" })).text).toContain("suspended: rights are gone.");
  expect((await scene.run("owner", "status")).text).toContain("suspended");
  await scene.run("owner", "channel link", { channel: "memes" });
  expect((await scene.run("owner", "ban list")).text).toContain("Nobody is banned");
});
