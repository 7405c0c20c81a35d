import { PermissionFlagsBits } from "discord.js";
import { describe, expect, test } from "vitest";
import { listFeeds } from "../../src/feed/feeds.ts";
import { AppError } from "../../src/errors.ts";
import { roomPayload } from "../../src/sandbox/discord/payloads/guild.ts";
import { troubleNetwork } from "../support/world.ts";
import { useBotInDiscord } from "../support/scenes.ts";

const down = () => new AppError("network_unreachable", "The network did not answer.");
const timeout = () => new AppError("network_unreachable", "Too slow.", { mayHaveHappened: true });
const bug = () => new TypeError("secret detail");

const scene = await useBotInDiscord();

const feeds = () => listFeeds(scene.bot, scene.discord.guildId);

describe("/feed", () => {
  test("adds the usual kinds of every channel to this room, lists them and ends them", async () => {
    const added = await scene.run("owner", "feed add", {}, "feed");
    expect(added.text).toMatch(
      new RegExp(
        `^<#${scene.discord.rooms.feed}> now gets events of every linked channel\\.\n` +
          "It shows new names of members, casts hidden and shown again, bans, [^\n]*\n" +
          "It does not show: all casts, each case\\.\nTo change what it shows, use \\S*/feed edit\\S* with `number:\\d+`\\.",
      ),
    );
    const [feed] = await feeds();
    expect(feed).toMatchObject({ roomId: scene.discord.rooms.feed, channelIds: null });
    expect(feed?.kinds).not.toContain("casts");
    // Names of the whole network would drown the rest.
    expect(feed?.peopleOnly).toBe(true);
    expect((await scene.run("owner", "feed show")).text).toContain(
      `<#${scene.discord.rooms.feed}> · all channels`,
    );
    expect((await scene.run("owner", "feed add", {}, "feed")).text).toContain("already has that feed");
    const number = String(feed?.id);
    expect((await scene.run("stranger", "feed remove", { number })).text).toContain(
      "You may not change the feeds of /memes",
    );
    const asked = await scene.run("owner", "feed remove", { number });
    expect(asked.text).toContain("will no longer get events of every linked channel");
    expect(await feeds()).toHaveLength(1);
    expect((await scene.click("owner", asked, "End the feed")).text).toContain("has ended");
    expect(await feeds()).toEqual([]);
    expect((await scene.run("owner", "feed remove", { number })).text).toContain("There is no feed");
  });

  test("takes kinds, another room, one channel and names; says which kind is none", async () => {
    const options = {
      kinds: "bans, cases",
      room: "mod-log",
      channel: "memes",
      names: "*bot",
      members_only: true,
    };
    await scene.run("owner", "feed add", options);
    expect(await feeds()).toMatchObject([
      {
        roomId: scene.discord.rooms["mod-log"],
        channelIds: ["memes"],
        kinds: ["bans", "cases"],
        namePattern: "*bot",
        peopleOnly: true,
      },
    ]);
    expect((await scene.run("owner", "feed add", { kinds: "bans,news" })).text).toContain(
      "Unknown kind: `news`",
    );
  });

  test("autocomplete adds kind after kind", async () => {
    const typed = { user: "owner", room: "feed", command: "feed add", focused: "kinds" };
    const choices = await scene.discord.people.autocomplete({ ...typed, options: { kinds: "bans, ca" } });
    expect(choices.map(({ value }) => value)).toEqual(["bans,casts", "bans,cases"]);
  });

  test("posts only where the actor may: in this room as the command says, in others as roles and overwrites do", async () => {
    const { discord } = scene;
    const { world, gateway } = discord.context;
    const everyone = world.guilds.get(discord.guildId)?.roles.find(({ id }) => id === discord.guildId);
    const room = world.rooms.get(discord.rooms["mod-log"]);
    if (!everyone || !room) throw new Error("the test's server has changed");
    const before = everyone.permissions;
    everyone.permissions = String(BigInt(before) & ~PermissionFlagsBits.SendMessages);
    const here = await scene.run("moderator", "feed add", {}, "feed");
    everyone.permissions = before;
    expect(here.text).toContain("In that room you lack Send Messages.");

    const denied = {
      id: discord.guildId,
      type: 0,
      allow: "0",
      deny: String(PermissionFlagsBits.ViewChannel),
    };
    const allowed = {
      id: world.applicationId,
      type: 1,
      allow: String(PermissionFlagsBits.ViewChannel),
      deny: "0",
    };
    const closed = { ...roomPayload(world, room), permission_overwrites: [denied, allowed] };
    gateway.dispatch(discord.guildId, "CHANNEL_UPDATE", closed);
    const there = await scene.run("moderator", "feed add", { room: "mod-log" });
    gateway.dispatch(discord.guildId, "CHANNEL_UPDATE", roomPayload(world, room));
    expect(there.text).toContain("In that room you lack View Channel.");
    expect(await feeds()).toEqual([]);
    expect((await scene.run("moderator", "feed add", { room: "mod-log" })).text).toContain("gets events of");
  });

  test.each([
    ["SendMessages", "Send Messages"],
    ["EmbedLinks", "Embed Links"],
    ["ReadMessageHistory", "Read Message History"],
  ] as const)("refuses a room in which Castellan lacks %s, this one and others", async (denied, name) => {
    const { discord } = scene;
    for (const room of ["feed", "general"]) {
      discord.denyBot(discord.rooms.feed, [denied]);
      const seen = await scene.run("owner", "feed add", { room: "feed" }, room);
      discord.denyBot(discord.rooms.feed, []);
      expect(seen.text).toContain(`Castellan lacks ${name} in that room`);
    }
    expect(await feeds()).toEqual([]);
  });

  test("asks for writing in threads where the room is one, and not for writing in rooms", async () => {
    const { discord } = scene;
    const thread = discord.addThread(discord.rooms.feed, "a talk");
    discord.denyBot(discord.rooms.feed, ["SendMessages"]);
    const added = await scene.run("owner", "feed add", { kinds: "pins" }, thread);
    discord.denyBot(discord.rooms.feed, ["SendMessagesInThreads"]);
    const refused = await scene.run("owner", "feed add", {}, thread);
    discord.denyBot(discord.rooms.feed, []);
    expect(added.text).toContain("gets events of");
    expect(refused.text).toContain("Castellan lacks Send Messages in Threads in that room");
  });

  test("asks for both in a thread that was archived before Castellan came, of which nothing is known", async () => {
    const { discord } = scene;
    const thread = discord.addThread(discord.rooms.feed, "long ago");
    discord.changeThread(thread, { archived: true });
    await scene.restart();
    discord.denyBot(discord.rooms.feed, ["SendMessagesInThreads"]);
    const refused = await scene.run("owner", "feed add", {}, thread);
    discord.denyBot(discord.rooms.feed, []);
    expect(refused.text).toContain("Castellan lacks Send Messages in Threads in that room");
  });

  test("is ended by Manage Server alone where none of its channels is linked any more", async () => {
    await scene.run("owner", "feed add", {}, "feed");
    await scene.bot.database.query.deleteFrom("castellan.links").execute();
    const number = String((await feeds())[0]?.id);
    for (const user of ["stranger", "moderator"]) {
      expect((await scene.run(user, "feed remove", { number })).text).toContain('"Manage Server"');
    }
    expect((await scene.run("owner", "feed show")).text).toContain(`**${number}**`);
    const asked = await scene.run("owner", "feed remove", { number });
    expect((await scene.click("owner", asked, "End the feed")).text).toContain("has ended");
  });

  test("refuses a room where Castellan may not read and write, and says what it needs", async () => {
    scene.discord.denyBot(scene.discord.rooms.feed, ["ViewChannel"]);
    const seen = await scene.run("owner", "feed add", { room: "feed" });
    scene.discord.denyBot(scene.discord.rooms.feed, []);
    expect(seen.text).toContain("Castellan lacks View Channel");
    expect(await feeds()).toEqual([]);
  });
});

describe("/status, /help and /case", () => {
  test("status shows links, sources, rooms and open cases; a stranger sees nothing", async () => {
    await scene.run("owner", "feed add", {}, "feed");
    const seen = await scene.run("moderator", "status");
    expect(seen.text).toContain("/memes: fine");
    expect(seen.text).toContain("All are settled");
    expect(seen.text).toContain("0 waiting");
    expect((await scene.run("stranger", "status")).text).toContain("You may not view");
  });

  test("help explains every command that one may use, and what cannot be", async () => {
    const stranger = await scene.run("stranger", "help");
    expect(stranger.text.match(/(?<=<\/|^\/)[a-z]+( [a-z]+)?/gm)).toEqual(["appeal", "report", "help"]);
    expect(stranger.text).toMatch(
      /The other \d+ commands are for those who moderate\. You are one of them once/,
    );
    expect(stranger.text).not.toMatch(/Good to know|setup permissions/);
    expect((await scene.run("moderator", "help")).text).toMatch(/\d+ more commands? needs? permissions/);
    const seen = await scene.run("owner", "help");
    for (const line of ["/ban", "/pin", "/setup link", "/case show"]) expect(seen.text).toContain(line);
    expect(seen.text).toContain("a change that is reverted between two reads is not seen");
    // All that an owner may use would be cut off by Discord: the groups are explained one by one.
    expect(seen.text).not.toContain("Ban a user; or many");
    const people = await scene.run("owner", "help", { about: "People" });
    expect(people.text).toContain("/ban Ban a user; or many");
    expect(people.text).not.toContain("/pin");
  });

  test("cases are listed newest first, by user too, and page", async () => {
    for (let fid = 20; fid < 32; fid += 1) {
      const preview = await scene.run("moderator", "ban", {
        user: String(fid),
        duration: "permanent",
        reason: "spam",
      });
      await scene.click("moderator", preview, "Ban");
    }
    const first = await scene.run("moderator", "case show");
    expect(first.text).toContain("**C-12** Ban fid 31");
    expect((await scene.click("moderator", first, "Next")).text).toContain("**C-1** Ban fid 20");
    const one = await scene.run("moderator", "case show", { user: "25" });
    expect(one.text).toContain("C-6");
    expect(one.text).not.toContain("C-7");
    expect((await scene.run("moderator", "case show", { number: "99" })).text).toContain("no case C-99");
  });
});

describe("a network that fails", () => {
  test("before anything is asked: the moderator is told, and there is no case", async () => {
    const network = troubleNetwork(scene.bot.network, "channels", "get", down, "before");
    await scene.restart({ network });
    expect(
      (await scene.run("moderator", "ban", { user: "7", duration: "permanent", reason: "spam" })).text,
    ).toBe("The network did not answer.");
    await scene.restart();
  });

  test("while acting: the moderator is told, and the case says that it is tried again", async () => {
    const network = troubleNetwork(scene.bot.network, "channelBans", "ban", timeout, "before");
    const preview = await scene.run("moderator", "ban", {
      user: "7",
      duration: "permanent",
      reason: "spam",
    });
    await scene.restart({ network });
    const seen = await scene.click("moderator", preview, "Ban");
    expect(seen.text).toContain("C-1 · Ban · not settled yet");
    expect(seen.text).toContain("check whether it happened, and try again");
    await scene.restart();
  });

  test("in an unexpected way: shows an id that finds the log line, and no internals", async () => {
    const network = troubleNetwork(scene.bot.network, "channels", "get", bug, "before");
    await scene.restart({ network });
    const seen = await scene.run("moderator", "ban", {
      user: "7",
      duration: "permanent",
      reason: "spam",
    });
    expect(seen.text).toMatch(/^Something went wrong \([0-9a-f]{8}\)/);
    expect(seen.text).not.toContain("secret");
    await scene.restart();
  });
});
