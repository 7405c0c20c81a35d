import { beforeEach, describe, expect, test } from "vitest";
import { createRooms } from "../../src/discord/rooms.ts";
import { deliverAll, hasMessagesToSend } from "../support/jobs.ts";
import { addFeed, listFeeds, removeFeed } from "../../src/feed/feeds.ts";
import { endRoom } from "../../src/feed/room-changes.ts";
import { eraseAuthor } from "../../src/retention/erase-author.ts";
import { testToken } from "../support/discord.ts";
import { readFeed } from "../support/observer.ts";
import { useBotInDiscord } from "../support/scenes.ts";

const scene = await useBotInDiscord();
const { bot, discord } = scene;
const { feed } = discord.rooms;
const newRooms = () => createRooms({ token: testToken, api: discord.api, onRefused: () => {} });
let rooms = newRooms();
beforeEach(async () => {
  rooms = newRooms();
  discord.setBlockedWords(discord.guildId, []);
  discord.setSlowMode(feed, 0);
  discord.context.world.messages.get(feed)?.splice(0);
  const all = { channelIds: null, namePattern: null, peopleOnly: false, createdBy: "1" };
  await addFeed(bot, { ...all, guildId: discord.guildId, roomId: feed, kinds: ["bans"] });
});

let made = 0;
/** Each event is of a user of its own, whose number stands in the message. */
async function happen(...fids: number[]): Promise<void> {
  for (const subjectFid of fids) {
    made += 1;
    const event = { sourceKey: `ban:${made}`, kind: "user.banned" as const, channelId: "memes", subjectFid };
    const seen = { occurredAt: 1, observedAt: bot.clock.now(), depth: 0, caseId: null, data: { at: 0 } };
    await bot.happen({ ...event, ...seen });
  }
}
const deliverNow = () => deliverAll(bot, rooms);
const told = () =>
  readFeed(discord, "feed").map(({ description }) => /fid (\d+)/.exec(description)?.[1] ?? description);
const roomQueue = async () => (await listFeeds(bot, discord.guildId))[0]?.roomQueue;
const stored = () =>
  bot.database.query.selectFrom("castellan.feed_messages").selectAll().orderBy("id").execute();

describe("a message that AutoMod blocks", () => {
  const block = () => discord.setBlockedWords(discord.guildId, ["fid 666"]);

  test("holds up no other, is shown, and is told once when AutoMod lets it through", async () => {
    block();
    await happen(1, 666, 3);
    await deliverNow();
    expect(told()).toEqual(["1", "3"]);
    expect(await roomQueue()).toMatchObject({ blocked: 1, parked: 0, waiting: 0, pausedSinceMs: null });
    expect((await scene.run("owner", "feed show")).text).toContain("1 blocked by AutoMod, tried again");
    expect((await scene.run("owner", "status")).text).toContain("1 blocked by AutoMod");
    expect(await hasMessagesToSend(bot)).toBe(false);
    bot.clock.advance(61);
    await deliverNow();
    expect(await roomQueue()).toMatchObject({ blocked: 1 });
    discord.setBlockedWords(discord.guildId, []);
    await happen(4);
    bot.clock.advance(3600);
    expect(await hasMessagesToSend(bot)).toBe(true);
    await deliverNow();
    bot.clock.advance(3600);
    await deliverNow();
    expect(told()).toEqual(["1", "3", "666", "4"]);
    expect(await roomQueue()).toMatchObject({ blocked: 0, parked: 0 });
  });

  test("is given up after a week of tries, and not by a clock that jumps", async () => {
    block();
    await happen(666);
    await deliverNow();
    bot.clock.advance(8 * 86_400);
    await deliverNow();
    expect(await roomQueue()).toMatchObject({ blocked: 1, parked: 0 });
    // Discord takes five messages in five seconds: the tries between are taken as made.
    await bot.database.query.updateTable("castellan.feed_messages").set({ attempts: 19 }).execute();
    bot.clock.advance(3600);
    await deliverNow();
    expect(await roomQueue()).toMatchObject({ blocked: 0, parked: 1 });
  });

  test("loses the words of an author who asks for it", async () => {
    block();
    await happen(666);
    await deliverNow();
    expect((await stored())[0]?.embeds_json).toContain("666");
    await eraseAuthor(bot, 666);
    expect((await stored())[0]).toMatchObject({ state: "blocked" });
    expect((await stored())[0]?.embeds_json).not.toContain("666");
  });

  test.each([
    [
      "the room's last feed",
      async () => removeFeed(bot, discord.guildId, (await listFeeds(bot, discord.guildId))[0]?.id ?? 0, "1"),
    ],
    ["the room", () => endRoom(bot, feed, "The room was deleted.")],
  ])("goes with %s", async (_, end) => {
    block();
    await happen(666);
    await deliverNow();
    await end();
    expect(await stored()).toEqual([]);
    bot.clock.advance(3600);
    expect(await hasMessagesToSend(bot)).toBe(false);
  });
});

test("slow mode is waited for: nothing is lost, nothing twice, and the room is not paused", async () => {
  discord.setSlowMode(feed, 30);
  await happen(1);
  await deliverNow();
  await happen(2, 3);
  await deliverNow();
  expect(told()).toEqual(["1"]);
  expect(await roomQueue()).toMatchObject({
    pausedSinceMs: null,
    parked: 0,
    error: expect.stringMatching(/\d+ s/),
  });
  discord.setSlowMode(feed, 0);
  rooms = newRooms();
  bot.clock.advance(60);
  await deliverNow();
  expect(told()).toEqual(["1", "2", "3"]);
});

test("what Cloudflare refuses is told when it lets this machine in again, and no room is blamed", async () => {
  discord.faults.refuse("POST", "/channels/:room/messages", { status: 403, code: 40_333 }, 1);
  await happen(1, 2);
  await deliverNow();
  expect(told()).toEqual([]);
  expect(await roomQueue()).toMatchObject({ pausedSinceMs: null, parked: 0 });
  rooms = newRooms();
  bot.clock.advance(3600);
  await deliverNow();
  expect(told()).toEqual(["1", "2"]);
});

test("a thread that is archived for good is waited for, and hears of everything when it is opened", async () => {
  const thread = discord.addThread(feed, "talk");
  await bot.database.query.updateTable("castellan.room_queues").set({ room_id: thread }).execute();
  await bot.database.query.updateTable("castellan.feeds").set({ room_id: thread }).execute();
  discord.changeThread(thread, { archived: true, locked: true });
  await expect.poll(roomQueue).toMatchObject({ pausedSinceMs: expect.any(Number) });
  bot.clock.advance(3601);
  await happen(1);
  await deliverNow();
  await happen(2);
  expect(await roomQueue()).toMatchObject({ pausedSinceMs: expect.any(Number), parked: 0 });
  bot.woken.length = 0;
  discord.changeThread(thread, { archived: false, locked: false });
  await expect.poll(() => bot.woken).toContain(`deliver-feed ${thread}`);
  await deliverNow();
  const shown = discord.context.world.messages.get(thread)?.flatMap(({ embeds }) => embeds);
  expect(shown).toHaveLength(2);
});
