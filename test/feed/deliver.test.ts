import * as fc from "fast-check";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { releaseLeases } from "../../src/database/lease.ts";
import { addFeed, listFeeds, removeFeed } from "../../src/feed/feeds.ts";
import { deliver, deliverAll } from "../support/jobs.ts";
import { newEvent, type NewChannelEvent } from "../../src/observe/events.ts";
import { createObserver, guild } from "../support/observer.ts";
import { hasServer } from "../support/services.ts";
import { meetAtLock } from "../support/test-cases.ts";
import { createStrictRooms, type StrictRooms } from "../support/discord.ts";

const room = "200000000000000001";
let rooms: StrictRooms;
let made: number;

const observer = await createObserver();
afterAll(() => observer.context.database.close());
beforeEach(start);

async function start(): Promise<void> {
  await observer.context.database.truncate();
  await observer.link("memes");
  rooms = createStrictRooms(observer.context.clock);
  made = 0;
  await addFeed(observer.context, feedIn(room));
}

const feedIn = (roomId: string) => ({
  guildId: guild,
  roomId,
  channelIds: null,
  kinds: ["bans" as const],
  namePattern: null,
  peopleOnly: false,
  createdBy: "1",
});

async function happen(count: number): Promise<void> {
  const { context } = observer;
  const events = Array.from({ length: count }, (): NewChannelEvent => {
    made += 1;
    return newEvent(context.clock.now(), {
      kind: "user.banned",
      data: { at: 0 },
      sourceKey: `test:${made}`,
      channelId: "memes",
      subjectFid: made,
    });
  });
  await context.database.transaction((tx) => context.appendEvents(tx, events));
}

const works = { pausedSinceMs: null, error: null, mentionRole: null, locale: "en-US", forReaders: false };
const idle = { waiting: 0, blocked: 0, parked: 0, ...works };
const deliverNow = (context = observer.context) => deliver(context, rooms, room);
const expected = (from: number, until: number) =>
  Array.from({ length: until - from + 1 }, (_, index) => `E-${from + index}`);
const roomQueue = async () => (await listFeeds(observer.context, guild))[0]?.roomQueue;

/** Dies in the transaction with this number, counting from 1, without a trace of it. */
function dyingIn(transaction: number) {
  let begun = 0;
  const { database } = observer.context;
  const die: typeof database.transaction = (work) => {
    begun += 1;
    if (begun === transaction) return Promise.reject(new Error("died here"));
    return database.transaction(work);
  };
  return { ...observer.context, database: { ...database, transaction: die } };
}

describe("delivery to a room", () => {
  test("is in order, up to five events with buttons a message", async () => {
    await happen(23);
    await deliverNow();
    expect(rooms.shown(room).map(({ embeds }) => embeds.length)).toEqual([5, 5, 5, 5, 3]);
    expect(rooms.numbers(room)).toEqual(expected(1, 23));
    expect(await roomQueue()).toEqual(idle);
  });

  test("sends nothing again after a death between sending and storing the message's id", async () => {
    await happen(12);
    await expect(deliverNow(dyingIn(2))).rejects.toThrow("died here");
    expect(rooms.numbers(room)).toEqual(expected(1, 5));
    await deliverNow();
    expect(rooms.numbers(room)).toEqual(expected(1, 5));
    // Long after Discord forgot the nonce, when the dead worker's lease has run out.
    observer.context.clock.advance(20 * 60);
    await happen(1);
    await deliverNow();
    expect(rooms.numbers(room)).toEqual(expected(1, 13));
  });

  test("waits for no lease of a process that is gone where there can be only one process", async () => {
    await happen(3);
    await expect(deliverNow(dyingIn(2))).rejects.toThrow("died here");
    const { database } = observer.context;
    // As the next process does at its start.
    if (database.engine === "embedded") await database.transaction(releaseLeases);
    await happen(1);
    await deliverAll(observer.context, rooms);
    expect(rooms.numbers(room)).toEqual(expected(1, database.engine === "embedded" ? 4 : 3));
  });

  test("sends what was bound unchanged when the death came before sending", async () => {
    const { query } = observer.context.database;
    await query
      .insertInto("castellan.names")
      .values({ name: "alice", fid: 1, owner: "0x", since: 1 })
      .execute();
    await happen(3);
    rooms.faults.push("unreachable");
    await deliverNow();
    await query.updateTable("castellan.names").set({ name: "mallory" }).execute();
    await happen(2);
    observer.context.clock.advance(10);
    await deliverNow();
    expect(rooms.shown(room)[0]?.embeds[0]?.description).toContain("alice");
    expect(rooms.shown(room).map(({ embeds }) => embeds.length)).toEqual([3, 2]);
    expect(rooms.numbers(room)).toEqual(expected(1, 5));
  });

  test("finds a message whose answer was lost", async () => {
    await happen(2);
    rooms.faults.push("lost_answer");
    await deliverNow();
    const { query } = observer.context.database;
    const messages = await query.selectFrom("castellan.feed_messages").select("state").execute();
    expect(messages).toEqual([{ state: "bound" }]);
    observer.context.clock.advance(600);
    await deliverNow();
    expect(rooms.numbers(room)).toEqual(expected(1, 2));
    expect(rooms.posts).toBe(1);
  });

  test("pauses with an alarm while the room is gone, and goes on when it is back", async () => {
    await happen(2);
    rooms.faults.push("gone", "gone");
    await deliverNow();
    const since = observer.context.clock.now();
    expect(await roomQueue()).toMatchObject({ pausedSinceMs: since, error: "Unknown Channel" });
    await happen(1);
    await deliverNow();
    expect(rooms.posts).toBe(1);
    observer.context.clock.advance(60);
    await deliverNow();
    expect(await roomQueue()).toMatchObject({ pausedSinceMs: since });
    observer.context.clock.advance(120);
    await deliverNow();
    expect(rooms.numbers(room)).toEqual(expected(1, 3));
    expect(await roomQueue()).toEqual(idle);
  });

  test("parks the one event that Discord refuses, visibly, and goes on with the others", async () => {
    await happen(12);
    rooms.refuse.add("E-4");
    await deliverNow();
    expect(rooms.numbers(room)).toEqual([...expected(1, 3), ...expected(5, 12)]);
    expect(await roomQueue()).toMatchObject({ parked: 1, waiting: 0 });
  });

  test("rests longer after each failure that may pass, and keeps the order", async () => {
    await happen(1);
    rooms.faults.push("unreachable", "unreachable");
    await deliverNow();
    await deliverNow();
    expect(rooms.posts).toBe(1);
    observer.context.clock.advance(1);
    await deliverNow();
    expect(rooms.posts).toBe(2);
    observer.context.clock.advance(1);
    await deliverNow();
    expect(rooms.posts).toBe(2);
    await happen(1);
    observer.context.clock.advance(1);
    await deliverNow();
    expect(rooms.numbers(room)).toEqual(expected(1, 2));
  });

  test("tells hundreds of old events in one digest, and what is recent one by one", async () => {
    await happen(250);
    observer.context.clock.advance(2 * 3600);
    await happen(2);
    await deliverNow();
    expect(rooms.numbers(room)).toEqual(["E-1 to E-250", "E-251", "E-252"]);
    expect(rooms.shown(room)[0]?.embeds[0]?.description).toContain("bans: **250**");
    expect(await roomQueue()).toMatchObject({ waiting: 0 });
  });

  test("drops what waits for a room whose last feed is removed, and nothing of other rooms", async () => {
    const other = "200000000000000002";
    await addFeed(observer.context, feedIn(other));
    await happen(2);
    const [first] = await listFeeds(observer.context, guild);
    await expect(removeFeed(observer.context, "another guild", first?.id ?? 0, "1")).rejects.toThrow(
      "no feed",
    );
    const dropped = await removeFeed(observer.context, guild, first?.id ?? 0, "1");
    expect(dropped).toEqual({ waiting: 2, blocked: 0 });
    await happen(1);
    await deliverAll(observer.context, rooms);
    expect(rooms.numbers(room)).toEqual([]);
    // E-3 tells rooms that hear of health who ended the feed.
    expect(rooms.numbers(other)).toEqual(["E-1", "E-2", "E-4"]);
  });

  test.runIf(hasServer)("ends with the last feed of a room, also when two are removed at once", async () => {
    const { context } = observer;
    await addFeed(context, { ...feedIn(room), peopleOnly: true });
    await happen(1);
    const feeds = await listFeeds(context, guild);
    const removals = feeds.map(
      ({ id }) =>
        () =>
          removeFeed(context, guild, id, "1"),
    );
    expect(removals).toHaveLength(2);
    await meetAtLock(context.database, "castellan.room_queues", removals);
    await deliverAll(context, rooms);
    expect(rooms.numbers(room)).toEqual([]);
  });

  test("of many rooms at once by several workers tells each of them everything once", async () => {
    const many = Array.from({ length: 12 }, (_, index) => `30000000000000000${index}`);
    for (const roomId of many) await addFeed(observer.context, feedIn(roomId));
    await happen(15);
    await Promise.all([1, 2, 3].map(() => deliverAll(observer.context, rooms)));
    for (const roomId of many) expect(rooms.numbers(roomId)).toEqual(expected(1, 15));
  });

  test("tells each event once and in order, whatever deaths, faults and other workers do", async () => {
    const step = fc.oneof(
      {
        weight: 4,
        arbitrary: fc.record({ do: fc.constant("happen" as const), count: fc.integer({ min: 1, max: 12 }) }),
      },
      { weight: 3, arbitrary: fc.constant({ do: "deliver" as const }) },
      { weight: 1, arbitrary: fc.constant({ do: "race" as const }) },
      {
        weight: 2,
        arbitrary: fc.record({ do: fc.constant("die" as const), at: fc.integer({ min: 1, max: 4 }) }),
      },
      {
        weight: 2,
        arbitrary: fc.record({
          do: fc.constant("fault" as const),
          fault: fc.constantFrom(
            "lost_answer" as const,
            "unreachable" as const,
            "gone" as const,
            "refused" as const,
          ),
        }),
      },
      {
        weight: 2,
        arbitrary: fc.record({ do: fc.constant("wait" as const), seconds: fc.constantFrom(1, 30, 130, 900) }),
      },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 20 }), async (steps) => {
        await start();
        // A message of one event that is refused is parked: then it is not told, by right.
        await happen(2);
        for (const next of steps) {
          if (next.do === "happen") await happen(next.count + 1);
          if (next.do === "deliver") await deliverNow();
          if (next.do === "race") await Promise.all([deliverNow(), deliverNow()]);
          if (next.do === "die") await deliverNow(dyingIn(next.at)).catch(() => {});
          if (next.do === "fault") rooms.faults.push(next.fault);
          if (next.do === "wait") observer.context.clock.advance(next.seconds);
        }
        rooms.faults.length = 0;
        for (let round = 0; round < 3; round += 1) {
          observer.context.clock.advance(1000);
          await deliverNow();
        }
        const parked = await observer.context.database.query
          .selectFrom("castellan.feed_messages")
          .innerJoin("castellan.feed_rows as row", "row.message_id", "castellan.feed_messages.id")
          .select("event_id")
          .where("state", "=", "parked")
          .execute();
        const told = rooms.numbers(room).flatMap(spread);
        const numbers = [...told, ...parked.map((row) => `E-${row.event_id}`)];
        expect(numbers.toSorted(byNumber)).toEqual(expected(1, made));
        expect(told).toEqual(told.toSorted(byNumber));
      }),
      { numRuns: 15, endOnFailure: true },
    );
  });
});

/** The numbers that a footer stands for: "E-5", or "E-5 to E-90" of a digest. */
function spread(footer: string): string[] {
  const [from = 0, until = from] = footer.split(" to ").map((number) => Number(number.slice(2)));
  return expected(from, until);
}
const byNumber = (a: string, b: string) => Number(a.slice(2)) - Number(b.slice(2));
