import { afterAll, beforeEach, expect, test } from "vitest";
import { deliver } from "../support/jobs.ts";
import { addFeed } from "../../src/feed/feeds.ts";
import type { RoomMessage } from "../../src/feed/rooms.ts";
import { createObserver, guild } from "../support/observer.ts";
import { createStrictRooms } from "../support/discord.ts";

const observer = await createObserver();
const { context } = observer;
const { database, clock } = context;
const strict = createStrictRooms(clock);
const nonces: string[] = [];
const rooms = {
  ...strict,
  async post(roomId: string, message: RoomMessage) {
    nonces.push(message.nonce);
    return strict.post(roomId, message);
  },
};
afterAll(() => database.close());
beforeEach(() => database.truncate());

/** As another installation of the same bot begins: an empty database, and the first event for the room. */
async function begin(roomId: string): Promise<void> {
  await database.truncate();
  await observer.link("memes");
  const feed = { guildId: guild, roomId, channelIds: null, kinds: ["bans" as const], namePattern: null };
  await addFeed(context, { ...feed, peopleOnly: false, createdBy: "1" });
  const event = { sourceKey: "1", kind: "user.banned" as const, channelId: "memes", subjectFid: 1 };
  const seen = { occurredAt: 1, observedAt: clock.now(), depth: 0, caseId: null, data: { at: 0 } };
  await database.transaction((tx) => context.appendEvents(tx, [{ ...event, ...seen }]));
}

test("a message keeps its nonce when it is sent again, and no other installation has it", async () => {
  await begin("1");
  strict.faults.push("unreachable");
  await deliver(context, rooms, "1");
  clock.advance(10);
  await deliver(context, rooms, "1");
  await begin("1");
  await deliver(context, rooms, "1");
  expect(nonces).toEqual([nonces[0], nonces[0], expect.stringMatching(/^[0-9a-f]{25}$/)]);
  expect(nonces[2]).not.toBe(nonces[0]);
});
