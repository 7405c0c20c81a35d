import { afterAll, beforeEach, describe, expect, test, vi } from "vitest";
import { deliverAll } from "../../src/feed/deliver/deliver.ts";
import { addFeed, listFeeds } from "../../src/feed/feeds.ts";
import { createRooms } from "../../src/discord/rooms.ts";
import { applyCase } from "../../src/moderation/cases/apply.ts";
import { verifyLinks } from "../../src/moderation/verify-links.ts";
import { endDeadRooms } from "../../src/feed/room-changes.ts";
import { resetBot, startBotInDiscord } from "../support/bot-in-discord.ts";
import { testToken } from "../support/discord.ts";
import { readFeed } from "../support/observer.ts";

const scene = await startBotInDiscord();
const { bot, discord } = scene;
const { database } = bot;
const { feed } = discord.rooms;
const rooms = createRooms({ token: testToken, api: discord.api, onRefused: () => {} });
afterAll(() => scene.stop());
beforeEach(async () => {
  await resetBot(scene);
  discord.context.world.messages.get(feed)?.splice(0);
  const kinds = ["bans" as const];
  const { guildId } = discord;
  const all = { channelIds: null, namePattern: null, peopleOnly: false, createdBy: "1" };
  await addFeed(bot, { ...all, guildId, roomId: feed, kinds });
});

let made = 0;
async function happen(): Promise<void> {
  made += 1;
  const event = { sourceKey: `ban:${made}`, kind: "user.banned" as const, channelId: "memes", subjectFid: 7 };
  const seen = { occurredAt: 1, observedAt: bot.clock.now(), depth: 0, caseId: null, data: { at: 0 } };
  await bot.happen({ ...event, ...seen });
}
const deliverNow = () => deliverAll(bot, rooms);
const told = () => readFeed(discord, "feed").length;
const links = () => database.query.selectFrom("castellan.links").selectAll().execute();
const absent = () => database.query.selectFrom("castellan.absent_servers").selectAll().execute();
const roomQueue = async () => (await listFeeds(bot, discord.guildId))[0]?.roomQueue;
function countPosts(): () => number {
  let posts = 0;
  const stop = discord.context.exchanged.listen(({ method, path }) => {
    if (method === "POST" && path.endsWith("/messages")) posts += 1;
  });
  return () => (stop(), posts);
}
/** A ban that a rule wished, and that has not gone out yet. */
async function wishBan(): Promise<number> {
  const { id } = await database.query
    .insertInto("castellan.cases")
    .values({
      guild_id: discord.guildId,
      channel_id: "memes",
      number: 999,
      lane: "memes 7",
      kind: "ban",
      state: "requested",
      target_fid: 7,
      actor_kind: "rule",
      rule_id: "scam",
      rule_version: 1,
      requested_at_ms: bot.clock.now(),
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

describe("a server that removes the bot", () => {
  test("rests at once: links suspended, no rule's wish carried out, nothing sent; and lives again when it is back", async () => {
    const caseId = await wishBan();
    discord.removeBot(discord.guildId);
    await vi.waitFor(async () => expect(await absent()).toHaveLength(1));
    expect(await links()).toMatchObject([{ suspended_reason: "Castellan was removed from the server." }]);
    expect(await applyCase(bot, caseId)).toMatchObject({
      state: "failed",
      answer: "Not done: Castellan was removed from the server before it went out.",
    });
    expect((await bot.net.as(1).channelBans.list({ channelId: "memes" })).result.bannedUsers).toEqual([]);
    await verifyLinks(bot);
    expect(await links()).toMatchObject([{ suspended_reason: expect.any(String) }]);
    await happen();
    await happen();
    const posts = countPosts();
    await deliverNow();
    expect(posts()).toBe(0);

    discord.inviteBot(discord.guildId);
    await vi.waitFor(async () => expect(await absent()).toEqual([]));
    expect(await links()).toMatchObject([{ suspended_at_ms: null, suspended_reason: null }]);
    await deliverNow();
    const numbers = readFeed(discord, "feed").map(({ number }) => number);
    expect(numbers).toHaveLength(2);
    expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
    expect(bot.woken).toContain("deliver-feed");
  });

  test("is noticed at the next start where it happened meanwhile, and so is its coming back", async () => {
    await scene.disconnect();
    discord.removeBot(discord.guildId);
    await scene.restart();
    await vi.waitFor(async () => expect(await absent()).toHaveLength(1));
    expect(await links()).toMatchObject([{ suspended_at_ms: expect.any(Number) }]);
    await scene.disconnect();
    discord.inviteBot(discord.guildId);
    await scene.restart();
    await vi.waitFor(async () => expect(await absent()).toEqual([]));
    expect(await links()).toMatchObject([{ suspended_at_ms: null }]);
  });

  test("is another than one with an outage, of which nothing rests", async () => {
    discord.startOutage(discord.guildId);
    const { guildId } = discord.addGuild(
      { name: "Other", owner: "owner", roles: [], rooms: [{ name: "x" }] },
      [{ username: "owner" }],
    );
    await database.query.updateTable("castellan.links").set({ guild_id: guildId }).execute();
    discord.removeBot(guildId);
    // The later event was heard: so was the earlier one.
    await vi.waitFor(async () => expect(await absent()).toMatchObject([{ guild_id: guildId }]));
    discord.endOutage(discord.guildId);
  });
});

describe("a room", () => {
  test("that is closed to the bot rests without being tried, and wakes when it opens", async () => {
    discord.denyBot(feed, ["SendMessages"]);
    await vi.waitFor(async () =>
      expect(await roomQueue()).toMatchObject({
        pausedSinceMs: expect.any(Number),
        error: "Castellan lacks Send Messages there.",
      }),
    );
    await happen();
    const posts = countPosts();
    await deliverNow();
    expect(posts()).toBe(0);
    bot.woken.length = 0;
    discord.denyBot(feed, []);
    await vi.waitFor(() => expect(bot.woken).toContain("deliver-feed"));
    await deliverNow();
    expect(told()).toBe(1);
    expect(await roomQueue()).toMatchObject({ waiting: 0, pausedSinceMs: null });
  });

  test("that is a locked thread loses nothing: what waited is told when it is unlocked", async () => {
    const thread = discord.addThread(discord.rooms.general, "talk");
    await database.query.updateTable("castellan.feed_lanes").set({ room_id: thread }).execute();
    await database.query.updateTable("castellan.feeds").set({ room_id: thread }).execute();
    discord.changeThread(thread, { locked: true });
    await happen();
    await happen();
    await deliverNow();
    expect(await roomQueue()).toMatchObject({ parked: 0, waiting: 0, pausedSinceMs: expect.any(Number) });
    bot.woken.length = 0;
    discord.changeThread(thread, { locked: false });
    await vi.waitFor(() => expect(bot.woken).toContain("deliver-feed"));
    await deliverNow();
    expect(discord.context.world.messages.get(thread)?.flatMap(({ embeds }) => embeds)).toHaveLength(2);
  });

  test("that is deleted ends its feed with a word, and frees what waited", async () => {
    const roomId = "1".repeat(18);
    await database.query.updateTable("castellan.feed_lanes").set({ room_id: roomId }).execute();
    await database.query.updateTable("castellan.feeds").set({ room_id: roomId }).execute();
    await happen();
    discord.context.gateway.dispatch(discord.guildId, "CHANNEL_DELETE", {
      id: roomId,
      type: 0,
      guild_id: discord.guildId,
    });
    await vi.waitFor(async () =>
      expect((await listFeeds(bot, discord.guildId))[0]?.ended?.reason).toBe("The room was deleted."),
    );
    expect(await database.query.selectFrom("castellan.feed_rows").selectAll().execute()).toEqual([]);
    expect((await scene.run("owner", "status")).text).toContain("**ended**");
    await happen();
    expect(await database.query.selectFrom("castellan.feed_rows").selectAll().execute()).toEqual([]);
  });

  test("that told nothing for a week is given up, but not by a clock that jumps", async () => {
    await happen();
    discord.context.faults.add(
      "POST",
      /messages$/,
      { status: 403, body: { message: "Missing", code: 50_001 } },
      99,
    );
    await deliverNow();
    bot.clock.advance(8 * 86_400);
    await endDeadRooms(bot);
    expect((await listFeeds(bot, discord.guildId))[0]?.ended).toBeNull();
    for (let tries = 0; tries < 20; tries += 1) {
      bot.clock.advance(3600);
      await deliverNow();
    }
    await endDeadRooms(bot);
    expect((await listFeeds(bot, discord.guildId))[0]?.ended?.reason).toContain(
      "Seven days without one message",
    );
    expect(await database.query.selectFrom("castellan.feed_rows").selectAll().execute()).toEqual([]);
  });
});

test("what the holders of a role might do ends with the role", async () => {
  const roleId = discord.addRole(discord.guildId, { name: "Helpers" }, []);
  const grant = { guild_id: discord.guildId, channel_id: "memes", capability: "view" };
  await database.query
    .insertInto("castellan.capabilities")
    .values([roleId, discord.guildId].map((role_id) => ({ ...grant, role_id })))
    .execute();
  discord.removeRole(discord.guildId, roleId);
  const holders = () => database.query.selectFrom("castellan.capabilities").select("role_id").execute();
  await vi.waitFor(async () => expect(await holders()).toEqual([{ role_id: discord.guildId }]));
});
