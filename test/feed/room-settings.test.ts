import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { deliver, hasMessagesToSend } from "../support/jobs.ts";
import { addFeed } from "../../src/feed/feeds.ts";
import {
  findQuietEnd,
  saveRoomSettings,
  usualSettings,
  type RoomSettings,
} from "../../src/feed/room-settings.ts";
import type { RoomMessage } from "../../src/feed/rooms.ts";
import { newEvent, type EventContent } from "../../src/observe/events.ts";
import { createStrictRooms, type StrictRooms } from "../support/discord.ts";
import { createObserver, guild } from "../support/observer.ts";

const room = "200000000000000001";
let rooms: StrictRooms;
let posted: RoomMessage[];
let made = 0;

const observer = await createObserver();
afterAll(() => observer.context.database.close());
beforeEach(async () => {
  const { context } = observer;
  await context.database.truncate();
  await observer.link("memes");
  posted = [];
  const strict = createStrictRooms(context.clock);
  rooms = {
    ...strict,
    post(roomId, message) {
      posted.push(message);
      return strict.post(roomId, message);
    },
  };
  const feed = { guildId: guild, roomId: room, channelIds: null, kinds: ["bans" as const, "pins" as const] };
  await addFeed(context, { ...feed, namePattern: null, peopleOnly: false, createdBy: "1" });
});

const set = (settings: Partial<RoomSettings>) =>
  saveRoomSettings(
    observer.context,
    { guildId: guild, userId: "1", roomId: room, what: "changed it" },
    { ...usualSettings, ...settings },
  );

const banned: EventContent = { kind: "user.banned", data: { at: 0 } };
const pinned: EventContent = { kind: "pin.changed", data: { castHash: null, previousHash: null } };

async function happen(count: number, content: EventContent): Promise<void> {
  const { context } = observer;
  for (let index = 0; index < count; index += 1) {
    made += 1;
    const event = { ...content, sourceKey: `test:${made}`, channelId: "memes", subjectFid: made };
    await context.happen(newEvent(context.clock.now(), event));
  }
  await deliver(context, rooms, room);
}
const titles = () =>
  rooms.shown(room).flatMap(({ embeds }) => embeds.map(({ title }) => title?.replace(/^[①-⑤] /, "")));

describe("a role", () => {
  test("is mentioned with what it is for, and not again and again", async () => {
    await set({ mention: { role: "77", kinds: ["bans"] } });
    await happen(1, pinned);
    await happen(1, banned);
    await happen(1, banned);
    observer.context.clock.advance(5 * 60);
    await happen(1, banned);
    expect(posted.map(({ mention }) => mention)).toEqual([undefined, "77", undefined, "77"]);
  });

  test("is mentioned again by what is sent again, for it is the same message", async () => {
    await set({ mention: { role: "77", kinds: ["bans"] } });
    rooms.faults.push("unreachable");
    await happen(1, banned);
    observer.context.clock.advance(10);
    await deliver(observer.context, rooms, room);
    expect(posted.map(({ mention }) => mention)).toEqual(["77", "77"]);
    expect(titles()).toEqual(["Banned from memes"]);
  });
});

describe("a language", () => {
  test.each(["unreachable", "lost_answer"] as const)(
    "is that in which a message was bound, which is posted once after %s whatever the room's language is then",
    async (fault) => {
      await set({ language: "de" });
      rooms.faults.push(fault);
      await happen(2, banned);
      await set({ language: "ja" });
      observer.context.clock.advance(20 * 60);
      await happen(1, banned);
      expect(titles()).toEqual(["Gebannt in memes", "Gebannt in memes", "memes で BAN"]);
    },
  );
});

describe("a digest", () => {
  test("sums up what can wait, so often; what matters comes at once", async () => {
    await set({ digestSeconds: 3600 });
    await happen(1, pinned);
    await happen(4, pinned);
    await happen(1, banned);
    expect(titles()).toEqual(["Unpinned in memes", "Banned from memes"]);
    expect(await hasMessagesToSend(observer.context)).toBe(false);
    observer.context.clock.advance(3600);
    expect(await hasMessagesToSend(observer.context)).toBe(true);
    await deliver(observer.context, rooms, room);
    expect(titles().at(-1)).toBe("4 events");
    expect(rooms.shown(room).at(-1)?.embeds[0]?.description).toContain("pins: **4**");
    await set({});
    await happen(1, pinned);
    expect(titles().at(-1)).toBe("Unpinned in memes");
  });
});

describe("quiet hours", () => {
  const quiet = { from: 22 * 60, until: 7 * 60, zone: "UTC" };

  test("tell only what matters, call nobody, and lose nothing", async () => {
    const at = new Date(observer.context.clock.now());
    const untilEleven = 23 * 60 - at.getUTCHours() * 60 - at.getUTCMinutes();
    observer.context.clock.advance(((untilEleven + 24 * 60) % (24 * 60)) * 60);
    await set({ quiet, mention: { role: "77", kinds: ["bans"] } });
    await happen(2, pinned);
    await happen(1, banned);
    expect(titles()).toEqual(["Banned from memes"]);
    expect(posted.map(({ mention }) => mention)).toEqual([undefined]);
    expect(await hasMessagesToSend(observer.context)).toBe(false);
    observer.context.clock.advance(8 * 3600);
    await deliver(observer.context, rooms, room);
    expect(titles()).toEqual(["Banned from memes", "Unpinned in memes", "Unpinned in memes"]);
  });

  test.each([
    ["2026-11-23T22:00:00Z", "2026-11-24T07:00:00Z"],
    ["2026-11-24T06:59:30Z", "2026-11-24T07:00:00Z"],
    ["2026-11-24T07:00:00Z", undefined],
    ["2026-11-24T21:59:59Z", undefined],
  ])("at %s end at %s", (now, end) => {
    expect(findQuietEnd(quiet, Date.parse(now))).toBe(end === undefined ? undefined : Date.parse(end));
  });

  test("are those of their time zone, also by day", () => {
    const siesta = { from: 13 * 60, until: 15 * 60, zone: "Europe/Madrid" };
    expect(findQuietEnd(siesta, Date.parse("2026-07-01T11:30:00Z"))).toBe(Date.parse("2026-07-01T13:00:00Z"));
    expect(findQuietEnd(siesta, Date.parse("2026-12-01T11:30:00Z"))).toBeUndefined();
  });
});
