import { expect, test } from "vitest";
import { addFeed, listFeeds, removeFeed } from "../../src/feed/feeds.ts";
import { endDeadRooms } from "../../src/feed/room-changes.ts";
import { guild } from "../support/observer.ts";
import { banned, room, useFeedRoom } from "./feed-room.ts";

const scene = useFeedRoom();
const { happen, happenTo, deliverNow, titles } = scene;

const feed = { guildId: guild, roomId: room, channelIds: null, namePattern: null, peopleOnly: false };

/** Messages to the room fail for eight days. */
async function breakRoom(): Promise<void> {
  await happen(banned);
  for (let attempt = 0; attempt < 24; attempt += 1) {
    scene.rooms.faults.splice(0, Infinity, "gone");
    await deliverNow();
    scene.bot.clock.advance(8 * 3600);
  }
  scene.rooms.faults.length = 0;
  expect((await listFeeds(scene.bot, guild))[0]?.roomQueue).toMatchObject({ error: "Unknown Channel" });
}

const removeIt = async () => {
  const [first] = await listFeeds(scene.bot, guild);
  return removeFeed(scene.bot, guild, first?.id ?? 0, "1");
};

test("a feed that is added again to a repaired room posts at once, without the old pause", async () => {
  await breakRoom();
  await removeIt();
  await addFeed(scene.bot, { ...feed, kinds: ["bans"], createdBy: "1" });
  await endDeadRooms(scene.bot);
  const [again] = await listFeeds(scene.bot, guild);
  expect(again).toMatchObject({ ended: null, roomQueue: { pausedSinceMs: null, error: null } });
  await happenTo(7, banned);
  await deliverNow();
  expect(scene.rooms.shown(room).at(-1)?.embeds[0]?.description).toContain("fid 7 ");
});

test("the message that a broken room could not be sent is dropped with its last feed", async () => {
  await happen(banned);
  scene.rooms.faults.push("gone");
  await deliverNow();
  await happenTo(3, banned);
  expect(await removeIt()).toEqual({ waiting: 2, blocked: 0 });
  scene.bot.clock.advance(3600);
  await deliverNow();
  expect(titles()).toEqual([]);
});

test("a second feed of a broken room does not end its pause", async () => {
  await breakRoom();
  await addFeed(scene.bot, { ...feed, kinds: ["pins"], createdBy: "1" });
  const feeds = await listFeeds(scene.bot, guild);
  expect(feeds.map(({ roomQueue }) => roomQueue.error)).toEqual(["Unknown Channel", "Unknown Channel"]);
});
