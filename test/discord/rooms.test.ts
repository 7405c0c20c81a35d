import { afterAll, afterEach, describe, expect, test } from "vitest";
import { createRooms } from "../../src/discord/rooms.ts";
import type { AppError } from "../../src/errors.ts";
import type { PostedMessage } from "../../src/feed/rooms.ts";
import { startTestDiscord, testToken } from "../support/discord.ts";

const posting = /\/channels\/\d+\/messages$/;

const discord = await startTestDiscord();
const refused: AppError[] = [];
const rooms = createRooms({
  token: testToken,
  api: discord.api,
  onRefused: (error) => void refused.push(error),
});
afterAll(() => discord.stop());
afterEach(() => discord.faults.clear());

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

  test("an edit that costs the message its embeds is no success, and repeated it mends the message", async () => {
    const { general } = discord.rooms;
    const id = await rooms.post(general, message("before"));
    discord.denyBot(general, ["EmbedLinks"]);
    // A message of embeds alone would be empty without them, which Discord refuses.
    const stored = discord.context.world.messages.get(general)?.find((one) => one.id === id);
    if (stored) stored.content = "with a text";
    await expect(rooms.edit(general, id, message("after"))).rejects.toMatchObject({
      code: "room_unavailable",
      message: expect.stringContaining("Embed Links"),
    });
    discord.denyBot(general, []);
    await rooms.edit(general, id, message("after"));
    expect((await rooms.recent(general))[0]).toMatchObject({ id, embeds: [{ description: "after" }] });
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

describe("looking for what was posted before a crash", () => {
  const fits = (footer: string) => (posted: PostedMessage) => posted.embeds[0]?.footer === footer;

  test("goes on past what others wrote, to the end, and no further back than said", async () => {
    const { feed } = discord.rooms;
    const since = Date.now() - 1000;
    const sent = message();
    const id = await rooms.post(feed, sent);
    for (let count = 0; count < 120; count += 1)
      discord.people.say({ user: "member", room: "feed", content: "hi" });
    const later = await rooms.post(feed, message());
    expect(await rooms.find(feed, since, fits(sent.embeds[0]?.footer ?? ""))).toMatchObject({ id });
    expect(await rooms.find(feed, since, (posted) => posted.id === later)).toMatchObject({ id: later });
    expect(await rooms.find(feed, since, () => false)).toBeUndefined();
    expect(await rooms.find(feed, Date.now() + 60_000, () => true)).toBeUndefined();
  });

  test("tells a history that is not shown from one that holds nothing", async () => {
    const { feed, general } = discord.rooms;
    await rooms.post(general, message());
    discord.denyBot(general, ["ReadMessageHistory"]);
    expect(await rooms.find(general, Date.now() - 60_000, () => true)).toBe("hidden");
    discord.denyBot(general, []);
    expect(await rooms.find(feed, Date.now() + 60_000, () => true)).toBeUndefined();
  });
});

describe("what goes wrong", () => {
  test.each([
    ["a thread that is locked", 400, 160_005, "room_unavailable", "locked"],
    ["a thread that is archived", 400, 50_083, "room_unavailable", "archived"],
    ["a room that takes no messages", 400, 50_008, "room_unavailable", "does not accept messages"],
    ["a room that it does not see", 403, 50_001, "room_unavailable", "View Channel"],
    ["permissions that are missing", 403, 50_013, "room_unavailable", "Send Messages"],
    ["AutoMod", 400, 200_000, "message_blocked", "AutoMod"],
    ["AutoMod in the title", 400, 200_001, "message_blocked", "AutoMod"],
    ["slow mode", 400, 20_016, "rate_limited", "slow mode"],
  ])("%s is told as what it is", async (_, status, code, expected, words) => {
    discord.faults.add("POST", posting, { status, body: { message: "No", code } });
    const error: unknown = await rooms
      .post(discord.rooms.feed, message())
      .catch((refusal: unknown) => refusal);
    expect(error).toMatchObject({ code: expected, message: expect.stringContaining(words) });
  });

  test.each([
    ["Cloudflare's code", "application/json", { message: "internal network error", code: 40_333 }],
    ["Cloudflare's page", "text/html", "<html>denied</html>"],
  ])(
    "%s is about this machine: no room is blamed, and nothing is asked for a while",
    async (_, type, body) => {
      let asked = 0;
      const settings = { token: testToken, api: discord.api, onRefused: () => {} };
      const own = createRooms(settings);
      discord.faults.add(
        "POST",
        posting,
        () => ((asked += 1), { status: 403, body, headers: { "content-type": type } }),
        5,
      );
      const first = own.post(discord.rooms.feed, message());
      await expect(first).rejects.toMatchObject({
        code: "discord_unreachable",
        message: expect.stringContaining("address"),
      });
      const second = own.post(discord.rooms.general, message());
      await expect(second).rejects.toMatchObject({ code: "discord_unreachable", retryAfter: 60 });
      expect(asked).toBe(1);
    },
  );

  test("a long rate limit is left to the room's queue, which keeps no lease through it", async () => {
    discord.faults.rateLimit("POST", posting, { retryAfter: 600 });
    const late = rooms.post(discord.rooms.feed, message());
    await expect(late).rejects.toMatchObject({ code: "rate_limited", retryAfter: expect.any(Number) });
  });

  test("429 is waited for", async () => {
    discord.faults.rateLimit("POST", posting, { retryAfter: 0.3 });
    await expect(rooms.post(discord.rooms.feed, message())).resolves.toMatch(/^\d+$/);
  });

  test("a passing 5xx is tried again", async () => {
    discord.faults.add("POST", posting, { status: 502, body: {} }, 2);
    await expect(rooms.post(discord.rooms.feed, message())).resolves.toMatch(/^\d+$/);
  });

  test("a lasting 5xx may pass: it is not the room's fault", async () => {
    discord.faults.add("POST", posting, { status: 503, body: {} }, 10);
    await expect(rooms.post(discord.rooms.feed, message())).rejects.toMatchObject({
      code: "discord_unreachable",
    });
  });

  test("a room that is forbidden or gone is unavailable", async () => {
    discord.denyBot(discord.rooms.general, ["SendMessages"]);
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
