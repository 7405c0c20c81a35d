import { commands } from "../../commands/index.ts";
import { findHandler } from "../../src/discord/find-handler.ts";
import { PermissionFlagsBits } from "discord.js";
import { describe, expect, test } from "vitest";
import { listFeeds } from "../../src/feed/feeds.ts";
import { newEvent } from "../../src/observe/events.ts";
import { useBotInDiscord } from "../support/scenes.ts";

const scene = await useBotInDiscord();

const feeds = () => listFeeds(scene.bot, scene.discord.guildId);

/** So many bans by nobody of ours. */
async function ban(count: number): Promise<void> {
  const { bot } = scene;
  const events = Array.from({ length: count }, (_, index) =>
    newEvent(bot.clock.now(), {
      kind: "user.banned",
      data: { at: 0 },
      sourceKey: `ban ${index}`,
      channelId: "memes",
      subjectFid: 20 + index,
    }),
  );
  await bot.database.transaction((tx) => bot.appendEvents(tx, events));
}

test("a pattern has the same limit in /feed add and /feed edit, so that none is cut", () => {
  const limitOf = (path: string) => findHandler(commands, path)?.options["names"]?.maxLength;
  expect([limitOf("feed add"), limitOf("feed edit")]).toEqual([40, 40]);
});

describe("a feed", () => {
  test("names what would be lost with the room's last feed, before and after", async () => {
    await scene.run("owner", "feed add", { kinds: "bans" }, "feed");
    await scene.run("owner", "feed add", { kinds: "pins" }, "feed");
    const [first, second] = (await feeds()).map(({ id }) => String(id));
    await scene.bot.database.query
      .updateTable("castellan.room_queues")
      .set({ retry_at_ms: Number.MAX_SAFE_INTEGER })
      .execute();
    await ban(3);
    const one = await scene.run("owner", "feed remove", { number: first ?? "" });
    expect(one.text).toContain("Still to be posted to the room: 3 events not posted yet.");
    await scene.click("owner", one, "End the feed");
    const last = await scene.run("owner", "feed remove", { number: second ?? "" });
    expect(last.text).toContain("this will never be posted: **3 events not posted yet**");
    expect((await scene.click("owner", last, "End the feed")).text).toContain(
      "Dropped with it: 3 events not posted yet.",
    );
  });

  test("is changed where it stands, and says what it was", async () => {
    await scene.run("owner", "feed add", { kinds: "bans" }, "feed");
    await scene.run("owner", "feed add", { kinds: "bans,names", members_only: true }, "feed");
    const change = { number: 1, kinds: "names,pins", channel: "memes", names: "*bot", members_only: false };
    const changed = await scene.run("owner", "feed edit", change);
    expect(changed.text).toContain("now gets events of /memes: names like `*bot`, pins.");
    expect(changed.text).toContain("Before: every linked channel: bans.");
    expect((await feeds())[0]).toMatchObject({
      kinds: ["names", "pins"],
      channelIds: ["memes"],
      namePattern: "*bot",
      peopleOnly: false,
    });
    const back = await scene.run("owner", "feed edit", { number: 1, channel: "all", names: "*" });
    expect(back.text).toContain("now gets events of every linked channel: names, pins.");
    expect(back.text).toContain("This includes every new name on the network");
    const same = await scene.run("owner", "feed edit", {
      number: 1,
      kinds: "bans,names",
      members_only: true,
    });
    expect(same.text).toContain("already has that feed, number 2");
    expect((await scene.run("stranger", "feed edit", { number: 1, kinds: "pins" })).text).toContain(
      "You may not change the feeds",
    );
    expect((await scene.run("owner", "feed edit", { number: 9, kinds: "pins" })).text).toContain("no feed 9");
  });

  test("is said to be as it was where nothing is changed, with what can be", async () => {
    await scene.run("owner", "feed add", { kinds: "bans" }, "feed");
    const audited = () =>
      scene.bot.database.query.selectFrom("castellan.setup_changes").selectAll().execute();
    const before = await audited();
    for (const change of [{}, { kinds: "bans", channel: "all" }]) {
      const { text } = await scene.run("owner", "feed edit", { number: 1, ...change });
      expect(text).toMatch(
        /^Nothing was changed\nFeed 1: <#\d+> gets events of every linked channel: bans\.\n/,
      );
      expect(text).toContain("`kinds`, `channel`, `names` or `members_only`");
    }
    expect(await audited()).toEqual(before);
  });

  test("asks again for the right when the end is confirmed", async () => {
    await scene.run("owner", "feed add", {}, "feed");
    const number = String((await feeds())[0]?.id);
    const asked = await scene.run("moderator", "feed remove", { number });
    await scene.bot.database.query.deleteFrom("castellan.links").execute();
    expect((await scene.click("moderator", asked, "End the feed")).text).toContain('"Manage Server"');
    expect(await feeds()).toHaveLength(1);
  });

  test("says which feed of the room tells the same", async () => {
    await scene.run("owner", "feed add", { kinds: "records, bans" }, "feed");
    const added = await scene.run("owner", "feed add", { kinds: "records", channel: "memes" }, "feed");
    expect(added.text).toContain("Feed 1 also posts records to this room. Nothing is posted twice");
    expect((await scene.run("owner", "feed add", { kinds: "pins" }, "feed")).text).not.toContain("as well");
    expect((await scene.run("owner", "feed add", { kinds: "bans", room: "mod-log" })).text).not.toContain(
      "as well",
    );
  });

  test("tells names of the whole network only where that is asked for", async () => {
    const whole = await scene.run("owner", "feed add", { kinds: "names" }, "feed");
    expect(whole.text).toContain("This includes every new name on the network");
    const like = await scene.run("owner", "feed add", { names: "*bot" }, "mod-log");
    expect(like.text).toContain("names like `*bot`");
    const members = await scene.run("owner", "feed add", { kinds: "names", members_only: true }, "feed");
    expect(members.text).toContain("It shows new names of members.");
    expect((await feeds()).map(({ peopleOnly }) => peopleOnly)).toEqual([false, false, true]);
  });

  test("has a room that is told as it wants: whom to mention, how often, and when not", async () => {
    await scene.run("owner", "feed add", { kinds: "pins" }, "feed");
    const now = await scene.run("moderator", "feed room", { room: "feed" });
    expect(now.text).toContain("Mentions nobody.");
    const set = { room: "feed", digest: "1h", quiet: "22:00-07:00", zone: "europe/berlin" };
    const changed = await scene.run("moderator", "feed room", set);
    expect(changed.text).toContain("summed up every 60 minutes");
    expect(changed.text).toMatch(/From 22:00 to 07:00 \(Europe.*Berlin\) only reviews/);
    const mentioned = await scene.run("owner", "feed room", { room: "feed", mention: "Moderator" });
    expect(mentioned.text).toMatch(/Mentions <@&\d+> for reviews, health/);
    const back = await scene.run("moderator", "feed room", { room: "feed", quiet: "off", digest: "off" });
    expect(back.text).toContain("No quiet hours.");
    expect(back.text).toMatch(/Mentions <@&\d+> for reviews, health/);
  });

  test("quiet hours are in the server's time zone, and keep theirs, unless another is given", async () => {
    await scene.run("owner", "feed add", { kinds: "pins" }, "feed");
    const room = async (options: Record<string, string>) =>
      (await scene.run("owner", "feed room", { room: "feed", ...options })).text;
    await scene.run("owner", "setup zone", { zone: "Asia/Tokyo" });
    expect(await room({ zone: "Europe/Berlin" })).toContain("Give the quiet hours of this zone, too.");
    expect(await room({ quiet: "22:00-07:00" })).toContain("From 22:00 to 07:00 (Asia/Tokyo)");
    expect(await room({ zone: "Europe/Berlin" })).toContain("From 22:00 to 07:00 (Europe/Berlin)");
    expect(await room({ quiet: "23:00-06:00" })).toContain("From 23:00 to 06:00 (Europe/Berlin)");
  });

  test("whose mention notifies nobody is named by /feed room and /status, with what to do", async () => {
    const { discord } = scene;
    const roleId = discord.addRole(discord.guildId, { name: "On call" }, []);
    await scene.run("owner", "feed add", { kinds: "pins" }, "feed");
    const why = "notifies nobody**, because that role is not mentionable. In the role's settings, turn on";
    const chosen = await scene.run("owner", "feed room", { room: "feed", mention: "On call" });
    expect(chosen.text).toContain(why);
    expect(chosen.text).toContain('give Castellan "Mention @everyone, @here, and All Roles" in that room');
    const here = async () => (await scene.run("owner", "feed room", {}, "feed")).text;
    const status = async () => (await scene.run("owner", "status")).text;
    expect(await here()).toContain(why);
    expect(await status()).toContain(`**A mention of <@&${roleId}> ${why}`);

    discord.setMentionable(discord.guildId, roleId, true);
    await expect.poll(status).not.toContain("notifies nobody");
    expect(await here()).not.toContain("notifies nobody");
    discord.setMentionable(discord.guildId, roleId, false);
    await expect.poll(status).toContain("notifies nobody");

    const { guildId } = discord;
    const everybody = discord.context.world.guilds.get(guildId)?.roles.find(({ id }) => id === guildId);
    const before = BigInt(everybody?.permissions ?? 0);
    discord.changeRole(guildId, guildId, before | PermissionFlagsBits.MentionEveryone);
    await expect.poll(status).not.toContain("notifies nobody");
    expect(await here()).not.toContain("notifies nobody");
    discord.changeRole(guildId, guildId, before);

    discord.removeRole(guildId, roleId);
    await expect.poll(status).toContain("notifies nobody**, because that role no longer exists.");
    expect(await here()).toContain("notifies nobody**, because that role no longer exists.");
  });

  test.each([
    ["moderator", { mention: "Moderator" }, '"Manage Server"'],
    ["owner", { mention: "@everyone" }, "does not mention everyone"],
    ["owner", { mention_kinds: "bans" }, "Choose the role"],
    ["owner", { quiet: "25:00-07:00" }, "22:00-07:00"],
    ["owner", { quiet: "22:00-07:00", zone: "Mars" }, "Unknown time zone"],
    ["owner", { digest: "1s" }, 'from "5m" to "24h"'],
    ["stranger", { digest: "1h" }, "You may not change the feeds"],
  ])("refuses %s %o", async (user, options, refusal) => {
    await scene.run("owner", "feed add", { kinds: "pins" }, "feed");
    expect((await scene.run(user, "feed room", { room: "feed", ...options })).text).toContain(refusal);
  });
});
