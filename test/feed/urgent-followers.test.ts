import { beforeEach, describe, expect, test } from "vitest";
import { addFeed } from "../../src/feed/feeds.ts";
import { saveRoomSettings, usualSettings, type RoomSettings } from "../../src/feed/room-settings.ts";
import { applyCase } from "../../src/moderation/cases/apply.ts";
import type { EventContent } from "../../src/observe/events.ts";
import { hasMessagesToSend } from "../support/jobs.ts";
import { guild } from "../support/observer.ts";
import { banned, left, restricted, room, useFeedRoom } from "./feed-room.ts";

const scene = useFeedRoom();
const { happen, happenTo, deliverNow, shown, titles } = scene;

const pinned: EventContent = { kind: "pin.changed", data: { castHash: null, previousHash: null } };

const set = (settings: Partial<RoomSettings>) =>
  saveRoomSettings(
    scene.bot,
    { guildId: guild, userId: "1", roomId: room, what: "changed it" },
    { ...usualSettings, ...settings },
  );

/** Quiet hours from an hour ago for nine hours. */
function setQuiet(): Promise<void> {
  const at = new Date(scene.bot.clock.now());
  const minute = at.getUTCHours() * 60 + at.getUTCMinutes();
  const [from = 0, until = 0] = [minute - 60, minute + 480].map((one) => (one + 1440) % 1440);
  return set({ quiet: { from, until, zone: "UTC" } });
}

/** The messages as they were first posted, with their mentions. */
const posted: { title: string | undefined; mention: string | undefined }[] = [];
beforeEach(() => {
  posted.length = 0;
  const strict = { ...scene.rooms };
  scene.rooms.post = (roomId, message) => {
    posted.push({ title: message.embeds[0]?.title, mention: message.mention });
    return strict.post(roomId, message);
  };
});

describe("an urgent event that shares a post with one that can wait", () => {
  test.each([
    ["a ban of a member", [left, banned], "Banned from memes"],
    ["a restriction of a member", [left, restricted], "No longer a member of memes"],
  ])("is posted in quiet hours: %s", async (_, events, title) => {
    await setQuiet();
    await happen(pinned);
    await happen(...events);
    await deliverNow();
    expect(titles()).toEqual([title]);
    expect(shown()[0]).toMatch(/No longer a member|Restricted/);
    expect(scene.rooms.numbers(room)).toEqual(["E-2"]);
    expect(await hasMessagesToSend(scene.bot)).toBe(false);
    scene.bot.clock.advance(9 * 3600);
    await deliverNow();
    expect(titles()).toEqual([title, "Unpinned in memes"]);
  });

  test("is posted in quiet hours when the other has been waiting", async () => {
    await setQuiet();
    await happen(left);
    await deliverNow();
    expect(titles()).toEqual([]);
    scene.bot.clock.advance(20);
    await happen(banned);
    await deliverNow();
    expect(titles()).toEqual(["Banned from memes"]);
    expect(shown()[0]).toContain("No longer a member.");
  });

  test("is posted with its mention between digests, and not counted in the next one", async () => {
    await set({ digestSeconds: 3600, mention: { role: "77", kinds: ["bans"] } });
    await happen(pinned);
    await deliverNow();
    for (const fid of [1, 2, 3]) await happenTo(fid, left);
    await happenTo(4, left, banned);
    await deliverNow();
    expect(posted.at(-1)).toEqual({ title: "Banned from memes", mention: "77" });
    scene.bot.clock.advance(3600);
    await deliverNow();
    expect(titles()).toEqual(["Unpinned in memes", "Banned from memes", "3 events"]);
  });

  test("has its own post when the other is already posted, because an edit notifies nobody", async () => {
    await set({ mention: { role: "77", kinds: ["bans"] } });
    await happen(left);
    await deliverNow();
    await happen(banned);
    await deliverNow();
    expect(posted).toEqual([
      { title: "No longer a member of memes", mention: undefined },
      { title: "Banned from memes", mention: "77" },
    ]);
    expect(shown()[0]).not.toContain("Banned");
  });

  test("is posted in quiet hours after a moderator's ban, in a room that also wants cases", async () => {
    const feed = { guildId: guild, roomId: room, channelIds: null, namePattern: null, peopleOnly: false };
    await addFeed(scene.bot, { ...feed, kinds: ["cases"], createdBy: "1" });
    await setQuiet();
    await applyCase(scene.bot, await scene.propose("ban"));
    await deliverNow();
    expect(titles()).toEqual(["Banned from memes"]);
  });

  test("takes over what a concurrent transaction added to the other's post", async () => {
    await setQuiet();
    const [first] = await happen(left, banned);
    await deliverNow();
    await happen(restricted);
    // As if it was stored while the ban was being put first.
    await scene.bot.database.query
      .updateTable("castellan.feed_rows")
      .set({ head_id: first?.id ?? null })
      .where("message_id", "is", null)
      .execute();
    await deliverNow();
    expect(titles()).toEqual(["Banned from memes"]);
    expect(shown()[0]).toContain("Restricted:");
  });
});
