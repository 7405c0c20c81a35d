import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { createRooms } from "../../src/discord/rooms.ts";
import type { AppError } from "../../src/errors.ts";
import type { Rooms } from "../../src/feed/rooms.ts";
import { startTestDiscord, type TestDiscord, testToken } from "../support/discord.ts";

const posting = /\/channels\/\d+\/messages$/;

let discord: TestDiscord;
let rooms: Rooms;
let refused: AppError[];

beforeAll(async () => {
  discord = await startTestDiscord();
  refused = [];
  rooms = createRooms({ token: testToken, api: discord.api, onRefused: (error) => void refused.push(error) });
});
afterAll(() => discord.stop());
afterEach(() => discord.context.faults.clear());

let count = 0;
const message = (description = "hello") => ({
  nonce: `test${(count += 1)}`,
  embeds: [{ title: "News", description, footer: `#${count}`, timestamp: 1_700_000_000_000, color: 255 }],
});

describe("posting", () => {
  test("posts once for one nonce, and finds it again with its footer", async () => {
    const sent = message();
    const id = await rooms.post(discord.rooms.feed, sent);
    expect(await rooms.post(discord.rooms.feed, sent)).toBe(id);
    const [newest, ...older] = await rooms.recent(discord.rooms.feed);
    expect(newest).toEqual({ id, embeds: sent.embeds });
    expect(older).toEqual([]);
    expect(discord.context.violations).toEqual([]);
  });

  test("edits in place, buttons too", async () => {
    const id = await rooms.post(discord.rooms.general, message("before"));
    const buttons = [[{ customId: "undo:1", label: "Undo", style: "danger" as const }]];
    await rooms.edit(discord.rooms.general, id, { ...message("after"), buttons });
    const [edited] = await rooms.recent(discord.rooms.general);
    expect(edited).toMatchObject({ id, embeds: [{ description: "after" }] });
  });

  test("leaves out what others wrote", async () => {
    discord.people.say({ user: "member", room: "mod-log", content: "hi" });
    const id = await rooms.post(discord.rooms["mod-log"], message());
    expect((await rooms.recent(discord.rooms["mod-log"])).map((posted) => posted.id)).toEqual([id]);
  });

  test("mentions nobody, whatever stands in the text", async () => {
    const id = await rooms.post(discord.rooms.general, message("@everyone <@1>"));
    const posted = discord.context.world.messages.get(discord.rooms.general)?.find((one) => one.id === id);
    expect(posted).toMatchObject({ mentionsEveryone: false, mentionedUserIds: [] });
  });
});

describe("what goes wrong", () => {
  test("429 is waited for", async () => {
    discord.context.faults.rateLimit("POST", posting, { retryAfter: 0.3 });
    const start = performance.now();
    await rooms.post(discord.rooms.feed, message());
    expect(performance.now() - start).toBeGreaterThan(290);
  });

  test("a passing 5xx is tried again", async () => {
    discord.context.faults.add("POST", posting, { status: 502, body: {} }, 2);
    await expect(rooms.post(discord.rooms.feed, message())).resolves.toMatch(/^\d+$/);
  });

  test("a lasting 5xx may pass: it is not the room's fault", async () => {
    discord.context.faults.add("POST", posting, { status: 503, body: {} }, 10);
    await expect(rooms.post(discord.rooms.feed, message())).rejects.toMatchObject({
      code: "discord_unreachable",
    });
  });

  test("a room that is forbidden or gone is unavailable", async () => {
    discord.denyBot(discord.rooms.general, ["sendMessages"]);
    await expect(rooms.post(discord.rooms.general, message())).rejects.toMatchObject({
      code: "room_unavailable",
    });
    discord.denyBot(discord.rooms.general, []);
    await expect(rooms.post("1", message())).rejects.toMatchObject({ code: "room_unavailable" });
  });

  test("a message that Discord refuses is the message's fault", async () => {
    const wrong = {
      ...message(),
      buttons: [[{ customId: "x".repeat(101), label: "x", style: "primary" as const }]],
    };
    await expect(rooms.post(discord.rooms.feed, wrong)).rejects.toMatchObject({ code: "message_refused" });
  });

  // Last: discord.js forgets the token with the first 401.
  test("a refused token is told to whoever ends the process, also on later calls", async () => {
    discord.rotateToken("another");
    const first = rooms.post(discord.rooms.feed, message());
    await expect(first).rejects.toMatchObject({ code: "invalid_configuration" });
    const later = rooms.post(discord.rooms.feed, message());
    await expect(later).rejects.toMatchObject({ code: "invalid_configuration" });
    expect(refused.length).toBeGreaterThan(0);
  });
});
