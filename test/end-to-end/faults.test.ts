import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { viewChannel } from "../support/seed.ts";
import { readFeed } from "../support/observer.ts";
import { botFid, fids, openGarden, type Garden } from "../support/garden.ts";

const channelId = "garden";
const polling = { timeout: 60_000, interval: 100 };
const posts = /^\/channels\/\d+\/messages$/;

describe("with faults on the way", { timeout: 120_000 }, () => {
  let garden: Garden;

  beforeAll(async () => {
    garden = await openGarden("over HTTP");
    await garden.as(fids.owner).channelInvites.invite({ channelId, inviteFid: botFid, role: "moderator" });
    // Listings know seconds only: in the same one, the bot's own entry would count as news.
    await sleep(1000);
    await garden.run("owner", "setup link", { channel: channelId });
    await garden.run("owner", "feed add", { kinds: "bans" }, "feed");
    await vi.waitFor(async () => {
      const { text } = await garden.run("owner", "status");
      if (!text.includes("/garden, members, bans and invites: up to date"))
        throw new Error("the listings were not read yet");
    }, polling);
  });

  afterAll(() => garden.stop());

  const titles = () => readFeed(garden.discord, "feed").map(({ title }) => title);
  const banned = async () => (await viewChannel(garden.public, channelId)).banned;

  /** Bans or unbans from outside Castellan. */
  async function change(deed: "ban" | "unban", fid: number): Promise<void> {
    const { channelBans } = garden.as(fids.owner);
    await (deed === "ban"
      ? channelBans.ban({ channelId, banFid: fid })
      : channelBans.unban({ channelId, unbanFid: fid }));
    await garden.wake("poll-listings");
  }

  async function heard(count: number, last: string): Promise<void> {
    await vi.waitFor(() => expect([titles().length, titles().at(-1)]).toEqual([count, last]), polling);
  }

  it("Discord's 429 is waited for, and its 5xx tried again: the room hears once", async () => {
    const { faults } = garden.discord;
    faults.rateLimit("POST", posts, { retryAfter: 1 });
    await change("ban", fids.troll);
    await heard(1, "Banned from Garden");
    faults.add("POST", posts, { status: 502, body: "bad gateway" }, 6);
    await change("unban", fids.troll);
    await heard(2, "Ban lifted in Garden");
    expect(new Set(readFeed(garden.discord, "feed").map(({ number }) => number)).size).toBe(2);
  });

  it("a room that is closed to the bot pauses with an alarm, and hears all of it once it is open again", async () => {
    const { rooms, denyBot } = garden.discord;
    denyBot(rooms.feed, ["SendMessages"]);
    await change("ban", fids.troll);
    await vi.waitFor(async () => {
      const list = await garden.run("owner", "feed show");
      expect(list.text).toMatch(
        /paused <t:\d+:R>\*\*: Castellan (lacks Send Messages there|may not write in that room)/,
      );
    }, polling);
    expect((await garden.run("owner", "status")).text).toContain("**paused**");
    await change("unban", fids.troll);
    denyBot(rooms.feed, []);
    garden.advance(60);
    await heard(4, "Ban lifted in Garden");
    expect((await garden.run("owner", "feed show")).text).not.toContain("paused");
  });

  it("a network that is out of reach: the moderator is told, and nothing is done", async () => {
    garden.relay.cut();
    const { text } = await garden.run("moderator", "ban", {
      user: String(fids.peddler),
      duration: "permanent",
      reason: "spam",
    });
    expect(text).toContain("The network cannot be reached");
    garden.relay.fix();
    expect(await banned()).toEqual([]);
    expect((await garden.run("moderator", "case show")).text).not.toContain(`fid ${fids.peddler}`);
  });

  it.each([
    ["before it heard of the ban", "before", [], 5],
    ["before its answer came back", "after", [fids.peddler], 7],
  ] as const)(
    "a network that goes down %s: the case says so, and settles when it is back",
    async (_, when, now, told) => {
      const preview = await garden.run("moderator", "ban", {
        user: String(fids.peddler),
        duration: "permanent",
        reason: "spam",
      });
      garden.relay.cutAt("POST /fc/channel-bans", when);
      const { text } = await garden.click("moderator", preview, "Ban");
      expect(text).toMatch(/C-\d+ · Ban · not settled yet[^]*The network did not respond/);
      expect(await banned()).toEqual(now);
      const number = Number(/C-(\d+) · Ban/.exec(text)?.[1]);
      garden.relay.fix();
      garden.advance(10);
      await vi.waitFor(async () => {
        const view = await garden.run("moderator", "case show", { number });
        expect(view.text).toContain(`C-${number} · Ban · done`);
      }, polling);
      expect(await banned()).toEqual([fids.peddler]);
      // What is over before anybody looks is never seen in a listing.
      await heard(told, "Banned from Garden");
      await change("unban", fids.peddler);
      await heard(told + 1, "Ban lifted in Garden");
    },
  );

  it("a button works that is clicked after the bot restarted, and one clicked meanwhile is told of", async () => {
    const preview = await garden.run("moderator", "ban", {
      user: String(fids.troll),
      duration: "permanent",
      reason: "spam",
    });
    await garden.stopBot();
    const failed = new Promise((resolve) => {
      garden.discord.context.happened.listen(
        (event) => event.kind === "interaction" && event.state === "failed" && resolve(event.state),
      );
    });
    garden.clickOnly("moderator", preview, "Ban");
    expect(await failed).toBe("failed");
    expect(await banned()).toEqual([]);
    await garden.startBot();
    expect((await garden.click("moderator", preview, "Ban")).text).toContain("· Ban · done");
    expect(await banned()).toEqual([fids.troll]);
  });

  it("the room heard of each ban once and in order, and Discord of nothing wrong", async () => {
    await heard(9, "Banned from Garden");
    const feed = readFeed(garden.discord, "feed");
    const numbers = feed.map(({ number }) => number);
    expect(numbers).toEqual([...new Set(numbers)].toSorted((a, b) => a - b));
    const [ban, lifted] = ["Banned from Garden", "Ban lifted in Garden"];
    expect(titles()).toEqual([ban, lifted, ban, lifted, ban, lifted, ban, lifted, ban]);
    expect(garden.discord.context.violations).toEqual([]);
  });

  it("a room that is gone ends its feed; the other commands go on", async () => {
    garden.discord.removeRoom(garden.discord.rooms.feed);
    await change("unban", fids.troll);
    await vi.waitFor(async () => {
      const list = await garden.run("owner", "feed show");
      expect(list.text).toMatch(/\*\*ended <t:\d+:R>\*\*: The room was deleted\./);
    }, polling);
    const asked = await garden.run("owner", "feed remove", { number: 1 });
    expect((await garden.click("owner", asked, "End the feed")).text).toContain("has ended");
  });
});
