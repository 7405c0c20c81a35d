import { beforeEach, describe, expect, test } from "vitest";
import { giveCapabilities } from "../../src/moderation/capabilities.ts";
import { see, type Seen } from "../support/bot-in-discord.ts";
import { addCasts } from "../support/casts.ts";
import { linkGuild, people } from "../support/world.ts";
import { useBotInDiscord } from "../support/scenes.ts";

const scene = await useBotInDiscord();
beforeEach(async () => {
  await scene.bot.database.query
    .insertInto("castellan.names")
    .values({ name: "trudy", fid: people.troll, owner: "0x", since: 1 })
    .execute();
});

async function isHidden(hash: string): Promise<boolean> {
  return (await scene.bot.net.api.operator.readCast({ hash })).hiddenByModeration;
}

async function change(hash: string, values: { hidden?: boolean; embeds?: string; text?: string }) {
  await scene.bot.database.query
    .updateTable("castellan.casts")
    .set(values)
    .where("hash", "=", hash)
    .execute();
}

/** Chooses several in the menu of an answer. */
async function chooseAll(user: string, { message, menu }: Seen): Promise<Seen> {
  const asked = scene.nextMessage("Hide ");
  const values = Object.values(menu.values);
  const { customId } = menu;
  scene.discord.people.select({ user, room: message.roomId, message: message.id, customId, values });
  return see(await asked);
}

/** Presses a button and waits for an answer with this text. */
async function until(user: string, seen: Seen, label: string, text: string): Promise<Seen> {
  const told = scene.nextMessage(text);
  scene.clickOnly(user, seen, label);
  return see(await told);
}

describe("/find", () => {
  test("shows what fits with author, channel, state and text, newest first, and does nothing", async () => {
    const [first = "", second = ""] = await addCasts(scene.bot, 2, {
      fid: people.troll,
      text: "Free AIRDROP",
    });
    await addCasts(scene.bot, 1, { fid: people.member, text: "gm" });
    await change(first, { hidden: true });
    await change(second, { text: "Free AIRDROP `now` @everyone" });
    const seen = await scene.run("moderator", "find", { text: "airdrop" });
    expect(seen.text).toContain("Casts in /memes");
    expect(seen.text).toMatch(/1\. \*\*@trudy\*\* \(fid 7\) in \/memes [^\n]*\n> [^\n]*AIRDROP/);
    expect(seen.text).toMatch(/2\. [^\n]*\*\*hidden\*\*/);
    expect(seen.text).not.toContain("gm 0");
    expect(seen.text).toContain(`/~/conversations/${second}`);
    expect(await isHidden(second)).toBe(false);
    expect(scene.discord.context.violations).toEqual([]);
    expect((await scene.run("moderator", "find", { text: "airdrop", hidden: true })).text).not.toContain(
      "2. ",
    );
  });

  test("finds by a link that is embedded or written, by a person and since a time", async () => {
    const [embedding = "", writing = "", other = ""] = await addCasts(scene.bot, 3, { fid: people.troll });
    await change(embedding, { embeds: JSON.stringify(["https://lure.example/claim"]) });
    await change(writing, { text: "see lure.example" });
    const { text } = await scene.run("moderator", "find", { link: "https://lure.example" });
    expect(text).toContain(embedding);
    expect(text).toContain(writing);
    expect(text).not.toContain(other);
    expect((await scene.run("moderator", "find", { user: "@trudy" })).text).toContain(other);
    scene.bot.clock.advance(7200);
    expect((await scene.run("moderator", "find", { since: "1h" })).text).toContain("None.");
    const late = await scene.run("moderator", "find", { since: "2020-09-13 12:26:41" });
    expect(late.text).toContain(other);
    expect(late.text).not.toContain(embedding);
  });

  test("has pages, and those who may not look see nothing", async () => {
    await addCasts(scene.bot, 25, { fid: people.troll });
    const first = await scene.run("moderator", "find", { user: "@trudy" });
    expect(first.text).toContain("gm 24");
    const second = await scene.click("moderator", first, "Next");
    expect(second.text).toContain("gm 14");
    expect((await scene.click("moderator", second, "Back")).text).toContain("gm 24");
    expect((await scene.run("stranger", "find", { user: "@trudy" })).text).toContain("You may not view");
  });

  test("shows casts of the channels alone in which one may look", async () => {
    const { bot } = scene;
    await bot.net.seed.channel("art", { owner: people.owner, moderators: [people.moderator, bot.botFid] });
    await linkGuild(bot, "art", scene.discord.guildId);
    await addCasts(scene.bot, 1, { fid: people.troll, channelId: "art", text: "secret" });
    await addCasts(scene.bot, 1, { fid: people.troll, text: "known" });
    const { guildId } = scene.discord;
    const grant = { guildId, channelId: "memes", roleId: guildId, capabilities: ["view" as const] };
    await scene.bot.database.transaction((tx) => giveCapabilities(tx, grant));
    const { text } = await scene.run("stranger", "find");
    expect(text).toContain("known");
    expect(text).not.toContain("secret");
    expect((await scene.run("stranger", "find", { channel: "art" })).text).toContain("You may not view");
  });

  test("shows nothing of a channel that only another server is linked to, or whose link is suspended", async () => {
    const { bot } = scene;
    await bot.net.seed.channel("art", { owner: people.owner, moderators: [people.moderator, bot.botFid] });
    await linkGuild(bot, "art", "901");
    await addCasts(bot, 1, { fid: people.troll, channelId: "art", text: "secret" });
    expect((await scene.run("owner", "find", { channel: "art" })).text).not.toContain("secret");
    await bot.database.query
      .updateTable("castellan.links")
      .set({ guild_id: scene.discord.guildId, suspended_at_ms: 1, suspended_reason: "test" })
      .where("channel_id", "=", "art")
      .execute();
    expect((await scene.run("owner", "find", { channel: "art" })).text).not.toContain("secret");
  });

  test("leads from those that are chosen to a question, and hides them after it", async () => {
    const casts = await addCasts(scene.bot, 3, { fid: people.troll, text: "airdrop" });
    const asked = await chooseAll("moderator", await scene.run("moderator", "find", { text: "airdrop" }));
    expect(asked.text).toContain("Hide 3 casts in /memes?");
    expect(await Promise.all(casts.map(isHidden))).toEqual([false, false, false]);
    const done = await until("moderator", asked, "Hide all of them", "· done");
    expect(done.text).toContain("**3 casts hidden**");
    expect(await Promise.all(casts.map(isHidden))).toEqual([true, true, true]);
    expect(scene.discord.context.violations).toEqual([]);
  });

  test("hides casts that are chosen from several channels in one bulk", async () => {
    const { bot, discord } = scene;
    await bot.net.seed.channel("art", { owner: people.owner, moderators: [people.moderator, bot.botFid] });
    await linkGuild(bot, "art", discord.guildId);
    const inMemes = await addCasts(bot, 1, { fid: people.troll, text: "airdrop" });
    const inArt = await addCasts(bot, 2, { fid: people.troll, text: "airdrop", channelId: "art" });
    const asked = await chooseAll("moderator", await scene.run("moderator", "find", { text: "airdrop" }));
    expect(asked.text).toContain("Hide 3 casts in /art, /memes?");
    expect(asked.text).not.toContain("it is in");
    await until("moderator", asked, "Hide all of them", "· done");
    expect(await Promise.all([...inMemes, ...inArt].map(isHidden))).toEqual([true, true, true]);
    expect(await bot.database.query.selectFrom("castellan.bulks").selectAll().execute()).toMatchObject([
      { channel_id: "art", other_channel_ids: ["memes"], targets: 3 },
    ]);
  });

  test("leads to all that fit, and to their authors", async () => {
    await addCasts(scene.bot, 12, { fid: people.troll, text: "airdrop" });
    const seen = await scene.run("moderator", "find", { text: "airdrop" });
    expect((await scene.click("moderator", seen, "Hide all matches…")).text).toContain(
      "Hide 12 casts in /memes?",
    );
    const again = await scene.run("moderator", "find", { text: "airdrop" });
    expect((await scene.click("moderator", again, "Ban their authors…")).text).toContain(
      "Ban 1 user from /memes?",
    );
  });

  test("lets nobody act by its menu who may only look", async () => {
    const [cast = ""] = await addCasts(scene.bot, 1, { fid: people.troll });
    const { guildId } = scene.discord;
    const grant = { guildId, channelId: "memes", roleId: guildId, capabilities: ["view" as const] };
    await scene.bot.database.transaction((tx) => giveCapabilities(tx, grant));
    const seen = await scene.run("stranger", "find");
    const [label = ""] = Object.keys(seen.menu.values);
    expect((await scene.choose("stranger", seen, label)).text).toContain("You may not hide casts");
    expect(await isHidden(cast)).toBe(false);
  });
});
