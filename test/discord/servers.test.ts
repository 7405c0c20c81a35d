import { PermissionFlagsBits } from "discord.js";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { deliverAll } from "../support/jobs.ts";
import { addFeed, listFeeds } from "../../src/feed/feeds.ts";
import { connectDiscord } from "../../src/discord/connect.ts";
import { createRooms } from "../../src/discord/rooms.ts";
import { applyCase } from "../../src/moderation/cases/apply.ts";
import { verifyLinks } from "../../src/moderation/verify-links.ts";
import { endDeadRooms } from "../../src/feed/room-changes.ts";
import { roomPayload } from "../../src/sandbox/discord/payloads/guild.ts";
import { createServerChanges } from "../../src/start/server-changes.ts";
import { startTestDiscord, testToken } from "../support/discord.ts";
import { readFeed } from "../support/observer.ts";
import { linkGuild } from "../support/world.ts";
import { useBotInDiscord } from "../support/scenes.ts";

const scene = await useBotInDiscord();
const { bot, discord } = scene;
const { database } = bot;
const { feed } = discord.rooms;
const rooms = createRooms({ token: testToken, api: discord.api, onRefused: () => {} });
beforeEach(async () => {
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
const links = () => database.query.selectFrom("castellan.links").selectAll().orderBy("guild_id").execute();
const absent = () => database.query.selectFrom("castellan.absent_servers").selectAll().execute();
const roomQueue = async () => (await listFeeds(bot, discord.guildId))[0]?.roomQueue;
/** Changes are gathered for half a second first. */
const eventually = <T>(check: () => T | Promise<T>) => vi.waitFor(check, { timeout: 60_000 });
async function moveFeed(roomId: string): Promise<void> {
  await database.query.updateTable("castellan.room_queues").set({ room_id: roomId }).execute();
  await database.query.updateTable("castellan.feeds").set({ room_id: roomId }).execute();
}
function countPosts(): () => number {
  let posts = 0;
  const stop = discord.exchanged.listen(({ method, path }) => {
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
      target_key: "memes 7",
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
    await eventually(async () => expect(await absent()).toHaveLength(1));
    expect(await links()).toMatchObject([{ suspended_reason: "Castellan was removed from the server." }]);
    expect(await applyCase(bot, caseId)).toMatchObject({
      state: "failed",
      outcome: "server_left",
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
    await eventually(async () => expect(await absent()).toEqual([]));
    expect(await links()).toMatchObject([{ suspended_at_ms: null, suspended_reason: null }]);
    await deliverNow();
    const numbers = readFeed(discord, "feed").map(({ number }) => number);
    expect(numbers).toHaveLength(2);
    expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
    expect(bot.woken).toContain(`deliver-feed ${discord.rooms.feed}`);
  });

  test("is noticed at the next start where it happened meanwhile, and so is its coming back", async () => {
    await scene.disconnect();
    discord.removeBot(discord.guildId);
    await scene.restart();
    await eventually(async () => expect(await absent()).toHaveLength(1));
    expect(await links()).toMatchObject([{ suspended_at_ms: expect.any(Number) }]);
    await scene.disconnect();
    discord.inviteBot(discord.guildId);
    await scene.restart();
    await eventually(async () => expect(await absent()).toEqual([]));
    expect(await links()).toMatchObject([{ suspended_at_ms: null }]);
  });

  test("is another than one with an outage, of which nothing rests", async () => {
    const plan = { name: "Other", owner: "owner", roles: [], rooms: [{ name: "x" }] };
    const { guildId } = discord.addGuild(plan, [{ username: "owner" }]);
    await linkGuild(bot, "memes", guildId);
    discord.removeBot(guildId);
    // What is heard at the start is behind us then.
    await eventually(async () => expect(await absent()).toMatchObject([{ guild_id: guildId }]));
    discord.startOutage(discord.guildId);
    discord.inviteBot(guildId);
    // The later event was heard: so was the earlier one.
    await eventually(async () => expect(await absent()).toEqual([]));
    discord.endOutage(discord.guildId);
  });
});

describe("a room", () => {
  test("that is closed to the bot rests without being tried, and wakes when it opens", async () => {
    discord.denyBot(feed, ["SendMessages"]);
    await eventually(async () =>
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
    await eventually(() => expect(bot.woken).toContain(`deliver-feed ${feed}`));
    await deliverNow();
    expect(told()).toBe(1);
    expect(await roomQueue()).toMatchObject({ waiting: 0, pausedSinceMs: null });
  });

  test("that is a locked thread loses nothing: pending events are posted when it is unlocked", async () => {
    const thread = discord.addThread(discord.rooms.general, "talk");
    await moveFeed(thread);
    discord.changeThread(thread, { locked: true });
    // Then nothing is left to be heard of the thread's making, either.
    await eventually(async () =>
      expect(await roomQueue()).toMatchObject({ pausedSinceMs: expect.any(Number) }),
    );
    await happen();
    await happen();
    bot.clock.advance(3601);
    await deliverNow();
    expect(await roomQueue()).toMatchObject({ parked: 0, waiting: 0, pausedSinceMs: expect.any(Number) });
    bot.woken.length = 0;
    discord.changeThread(thread, { locked: false });
    await eventually(() => expect(bot.woken).toContain(`deliver-feed ${thread}`));
    await deliverNow();
    expect(discord.context.world.messages.get(thread)?.flatMap(({ embeds }) => embeds)).toHaveLength(2);
  });

  test("that is deleted ends its feed with a word, and frees what waited", async () => {
    const plan = { name: "Third", owner: "owner", rooms: [{ name: "short-lived" }] };
    const other = discord.addGuild(plan, [{ username: "owner" }]);
    const roomId = other.rooms["short-lived"] ?? "";
    await moveFeed(roomId);
    await happen();
    discord.removeRoom(roomId);
    await eventually(async () =>
      expect((await listFeeds(bot, discord.guildId))[0]?.ended?.reason).toBe("The room was deleted."),
    );
    expect(await database.query.selectFrom("castellan.feed_rows").selectAll().execute()).toEqual([]);
    expect((await scene.run("owner", "status")).text).toContain("**ended**");
    await happen();
    expect(await database.query.selectFrom("castellan.feed_rows").selectAll().execute()).toEqual([]);
  });

  test("that the bot's roles close rests without being tried, and wakes when they open it again", async () => {
    const guild = discord.context.world.guilds.get(discord.guildId);
    const everybody = guild?.roles.find(({ id }) => id === discord.guildId);
    const roleIds = guild?.members.find(({ userId }) => userId === discord.applicationId)?.roleIds ?? [];
    const paused = { pausedSinceMs: expect.any(Number), error: expect.stringContaining("Send Messages") };
    discord.changeRole(discord.guildId, discord.guildId, PermissionFlagsBits.ViewChannel);
    discord.setRoles(discord.guildId, discord.applicationId, []);
    await eventually(async () => expect(await roomQueue()).toMatchObject(paused));
    discord.setRoles(discord.guildId, discord.applicationId, roleIds);
    await eventually(async () =>
      expect(await roomQueue()).toMatchObject({ pausedSinceMs: null, error: null }),
    );
    discord.setRoles(discord.guildId, discord.applicationId, []);
    await eventually(async () => expect(await roomQueue()).toMatchObject(paused));
    discord.changeRole(discord.guildId, discord.guildId, BigInt(everybody?.permissions ?? 0));
    await eventually(async () =>
      expect(await roomQueue()).toMatchObject({ pausedSinceMs: null, error: null }),
    );
    discord.setRoles(discord.guildId, discord.applicationId, roleIds);
  });

  test("that is a thread continues when Discord's list of active threads shows it open", async () => {
    const { general } = discord.rooms;
    const thread = discord.addThread(general, "talk");
    await moveFeed(thread);
    discord.changeThread(thread, { locked: true });
    await eventually(async () =>
      expect(await roomQueue()).toMatchObject({ error: "That thread is locked." }),
    );
    await happen();
    const room = discord.context.world.rooms.get(thread);
    if (!room?.thread) throw new Error("the thread is gone");
    discord.context.world.rooms.set(thread, { ...room, thread: { ...room.thread, locked: false } });
    bot.woken.length = 0;
    discord.context.gateway.dispatch(discord.guildId, "THREAD_LIST_SYNC", {
      guild_id: discord.guildId,
      channel_ids: [general],
      threads: [roomPayload(discord.context.world, discord.context.world.rooms.get(thread) ?? room)],
      members: [],
    });
    await eventually(() => expect(bot.woken).toContain(`deliver-feed ${thread}`));
    await deliverNow();
    expect(discord.context.world.messages.get(thread)?.flatMap(({ embeds }) => embeds)).toHaveLength(1);
  });

  test("that told nothing for a week is given up, but not by a clock that jumps", async () => {
    await happen();
    discord.faults.add("POST", /messages$/, { status: 403, body: { message: "Missing", code: 50_001 } }, 99);
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
      "No message could be sent for seven days",
    );
    expect(await database.query.selectFrom("castellan.feed_rows").selectAll().execute()).toEqual([]);
  });
});

test("of several shards each compares its own servers: what another one has is not taken for gone", async () => {
  const shards = await startTestDiscord({
    shards: 2,
    guilds: ["zero", "one"].map((name, index) => ({
      id: String(BigInt(index + 10) << 22n),
      name,
      owner: "owner",
      rooms: [{ name: `room-${name}` }],
    })),
  });
  const [zero = "", one = ""] = shards.context.world.guilds.keys();
  await database.query.deleteFrom("castellan.feeds").execute();
  await database.query.deleteFrom("castellan.links").execute();
  for (const guildId of [zero, one]) await linkGuild(bot, "memes", guildId);
  shards.removeBot(one);
  // Of this one READY alone tells.
  shards.startOutage(zero);
  const settings = { token: testToken, api: shards.api, onRefused: () => {} };
  const connection = await connectDiscord(
    { ...bot, rooms, commands: [] },
    { ...settings, servers: createServerChanges(bot) },
  );
  await eventually(async () => expect(await absent()).toMatchObject([{ guild_id: one }]));
  await connection.close();
  expect(await links()).toMatchObject([
    { guild_id: zero, suspended_at_ms: null },
    { guild_id: one, suspended_at_ms: expect.any(Number) },
  ]);
  await shards.stop();
});
