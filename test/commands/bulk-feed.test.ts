import { beforeEach, expect, test } from "vitest";
import { addFeed } from "../../src/feed/feeds.ts";
import { deliverAll } from "../support/jobs.ts";
import type { RoomMessage, Rooms } from "../../src/feed/rooms.ts";
import { usualFeedKinds } from "../../src/feed/feed-kinds.ts";
import { describeBulk } from "../../src/feed/render/bulk.ts";
import { beginBulk } from "../../src/moderation/bulks/begin.ts";
import { runBulk } from "../../src/moderation/bulks/run.ts";
import { pollListings } from "../../src/observe/listings/poll-listings.ts";
import { pollRecords } from "../../src/observe/records/poll-records.ts";
import { followLinks } from "../../src/observe/sources.ts";
import { addCasts } from "../support/casts.ts";
import { bulkSummary } from "../support/bulk-summary.ts";
import { sendNow } from "../support/outbox.ts";
import { linkGuild, people, seedChannel, silentRooms } from "../support/world.ts";
import { useEmptyWorld } from "../support/test-cases.ts";

/** What stands in each room, by the message's id. */
let posted: Map<string, { room: string; title: string; text: string }>;
let rooms: Rooms;

const bot = await useEmptyWorld();
beforeEach(async () => {
  await seedChannel(bot, "memes", "1");
  posted = new Map();
  rooms = {
    ...silentRooms,
    post: async (room, message) => put(room, String(posted.size + 1), message),
    edit: async (room, id, message) => void put(room, id, message),
  };
});

function put(room: string, id: string, { embeds }: RoomMessage): string {
  const [title, text] = [embeds.map((one) => one.title).join(), embeds.map((one) => one.description).join()];
  posted.set(id, { room, title, text });
  return id;
}

async function hear(guildId: string, roomId: string, kinds = [...usualFeedKinds]): Promise<void> {
  const feed = { guildId, roomId, channelIds: null, kinds, namePattern: null, peopleOnly: false };
  await addFeed(bot, { ...feed, createdBy: "1" });
}

const inRoom = (room: string) => [...posted.values()].filter((one) => one.room === room);

async function readNetwork(): Promise<void> {
  await followLinks(bot);
  bot.clock.advance(2);
  await pollRecords(bot, "memes");
  await pollListings(bot, "memes");
  await deliverAll(bot, rooms);
}

async function begin(): Promise<number> {
  const casts = await addCasts(bot, 40, { fid: people.troll });
  const asked = {
    guildId: "1",
    channelId: "memes",
    kind: "hide" as const,
    selection: "casts of",
    subjectFid: people.troll,
  };
  const actions = [
    { kind: "ban" as const, targetFid: people.troll },
    ...casts.map((targetCast) => ({ kind: "hide" as const, targetCast })),
  ];
  const { id } = await bot.database.transaction((tx) =>
    beginBulk(bot, tx, { ...asked, by: { userId: "5" } }, actions),
  );
  return id;
}

test("a bulk is one post, with a count once it has ended, and its actions get no posts of their own", async () => {
  await hear("1", "10");
  await readNetwork();
  const id = await begin();
  await deliverAll(bot, rooms);
  expect(inRoom("10").map(({ title }) => title)).toEqual(["B-1 · Hide · memes · under way"]);
  await runBulk(bot, id);
  await readNetwork();
  await readNetwork();
  await sendNow(bot, rooms);
  const [only, ...others] = inRoom("10");
  expect(others).toEqual([]);
  expect(only?.title).toBe("B-1 · Hide · memes · done");
  expect(only?.text).toContain("**1 user banned, 40 casts hidden**");
});

test("a post that was on its way when the bulk ended is edited when it has arrived", async () => {
  await hear("1", "10");
  await readNetwork();
  const id = await begin();
  let arrive = () => {};
  const arrived = new Promise<void>((resolve) => (arrive = resolve));
  const slow: Rooms = {
    ...rooms,
    async post(room, message) {
      await arrived;
      return rooms.post(room, message);
    },
  };
  const delivering = deliverAll(bot, slow);
  await expect
    .poll(() => bot.database.query.selectFrom("castellan.feed_messages").select("state").execute())
    .toEqual([{ state: "bound" }]);
  await runBulk(bot, id);
  arrive();
  await delivering;
  expect(inRoom("10")[0]?.title).toContain("under way");
  await sendNow(bot, rooms);
  expect(inRoom("10")[0]?.title).toContain("done");
});

test("a room hears of a bulk by what it does; another server of each thing, for the bulk is not its own", async () => {
  await linkGuild(bot, "memes", "2");
  await hear("1", "11", ["records"]);
  await hear("1", "12", ["bans"]);
  await hear("1", "13", ["pins"]);
  await hear("2", "20", ["bans"]);
  await readNetwork();
  const id = await begin();
  await runBulk(bot, id);
  await readNetwork();
  expect(["11", "12", "13"].map((room) => inRoom(room).length)).toEqual([1, 1, 0]);
  expect(inRoom("20").map(({ title }) => title)).toEqual(["Banned from memes"]);
});

test.each([
  [16, 16, "Case C-16 · /case show shows it"],
  [16, 18, "Cases C-16–C-18 · /case show lists them"],
])("a bulk names its cases from C-%i to C-%i as one or as several", (firstCase, lastCase, says) => {
  expect(describeBulk({ ...bulkSummary("", ""), firstCase, lastCase }).description).toContain(says);
});
