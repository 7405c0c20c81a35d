import { beforeEach, describe, expect, test } from "vitest";
import type { FeedKind } from "../../src/feed/feed-kinds.ts";
import { addFeed } from "../../src/feed/feeds.ts";
import { deliver, deliverAll } from "../support/jobs.ts";
import { renderDigest } from "../../src/feed/render/render-event.ts";
import { newEvent, type EventContent, type NewChannelEvent } from "../../src/observe/events.ts";
import { guild } from "../support/observer.ts";
import { createStrictRooms, type StrictRooms } from "../support/discord.ts";
import { useObserver } from "../support/scenes.ts";

const room = "200000000000000001";
const other = "200000000000000002";
let rooms: StrictRooms;
let made: number;

const observer = await useObserver();
beforeEach(async () => {
  await observer.link("memes");
  rooms = createStrictRooms(observer.context.clock);
  made = 0;
});

const addFeedIn = (roomId: string, ...kinds: FeedKind[]) =>
  addFeed(observer.context, {
    guildId: guild,
    roomId,
    channelIds: null,
    kinds,
    namePattern: null,
    peopleOnly: false,
    createdBy: "1",
  });

const banned: EventContent = { kind: "user.banned", data: { at: 0 } };
const pinned: EventContent = { kind: "pin.changed", data: { castHash: null, previousHash: null } };
const named: EventContent = {
  kind: "username_proof.merged",
  data: { name: "moth", owner: "0x", change: "registered" },
};

async function happen(count: number, content: EventContent): Promise<void> {
  const { context } = observer;
  const events = Array.from({ length: count }, (): NewChannelEvent => {
    made += 1;
    return newEvent(context.clock.now(), {
      ...content,
      sourceKey: `test:${made}`,
      channelId: content.kind === "username_proof.merged" ? null : "memes",
      subjectFid: made,
    });
  });
  await context.database.transaction((tx) => context.appendEvents(tx, events));
}

const deliverNow = () => deliver(observer.context, rooms, room);
const expected = (from: number, until: number) =>
  Array.from({ length: until - from + 1 }, (_, index) => `E-${from + index}`);

describe("a room that is behind", () => {
  test("tells what matters first where several things wait, and each of its kind in order", async () => {
    await addFeedIn(room, "names", "pins", "bans");
    await happen(12, named);
    await happen(2, pinned);
    await happen(1, banned);
    await deliverNow();
    // The first message reads as it happened, too.
    expect(rooms.numbers(room)).toEqual([...expected(1, 7), ...expected(13, 15), ...expected(8, 12)]);
  });

  test("sums up more names than a room can bear, however new, and lets nothing wait behind them", async () => {
    await addFeedIn(room, "names", "bans");
    await happen(600, named);
    await happen(1, banned);
    await deliverNow();
    expect(rooms.numbers(room)).toEqual([...expected(1, 9), "E-601", "E-10 to E-600"]);
    expect(rooms.shown(room).at(-1)?.embeds[0]).toMatchObject({
      title: "591 events that came faster than they can be posted",
      description: expect.stringContaining("names: **591**"),
    });
    await happen(3, named);
    await deliverNow();
    expect(rooms.numbers(room).slice(-3)).toEqual(expected(602, 604));
  });

  test("sums up no more of what is old than is, and of each rank by itself", async () => {
    await addFeedIn(room, "names", "bans");
    await happen(30, banned);
    await happen(30, named);
    observer.context.clock.advance(2 * 3600);
    await happen(1, banned);
    await deliverNow();
    expect(rooms.numbers(room)).toEqual(["E-1 to E-30", ...expected(31, 39), "E-61", "E-40 to E-60"]);
  });

  test("says of reviews that were only counted where they wait", () => {
    const held = { id: 1, kind: "review.held" as const, occurredAt: 1 };
    const ban = { id: 2, kind: "user.banned" as const, occurredAt: 2 };
    expect(renderDigest([held, ban], "old").description).toContain("/review show lists them");
    expect(renderDigest([ban], "old").description).not.toContain("/review show");
  });

  test("serves first the room where something matters", async () => {
    await addFeedIn(other, "names");
    await addFeedIn(room, "bans");
    await happen(1, named);
    await happen(1, banned);
    const order: string[] = [];
    const post: StrictRooms["post"] = (roomId, message) => {
      order.push(roomId);
      return rooms.post(roomId, message);
    };
    await deliverAll(observer.context, { ...rooms, post });
    expect(order).toEqual([room, other]);
  });
});
