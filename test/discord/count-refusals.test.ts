import { afterEach, describe, expect, test } from "vitest";
import { countRefusals, type Refusals } from "../../src/discord/count-refusals.ts";
import { createRooms } from "../../src/discord/rooms.ts";
import { countRefusedCalls, storeRefusedCalls } from "../../src/feed/refused-calls.ts";
import { testToken } from "../support/discord.ts";
import { collectLog } from "../support/log.ts";
import { useBotInDiscord } from "../support/scenes.ts";

const scene = await useBotInDiscord();
const { bot, discord } = scene;
const { lines, log } = collectLog();
const open: Refusals[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.close()));
});

function createProcess() {
  const refusals = countRefusals({ ...bot, log });
  open.push(refusals);
  return {
    refusals,
    rooms: createRooms({ token: testToken, api: discord.api, onRefused: () => {}, refusals }),
  };
}
const message = () => ({ nonce: String(Math.random()).slice(2, 20), embeds: [{ description: "x" }] });
const minute = () => Math.floor(bot.clock.now() / 60_000);
const happened = (calls: number) => storeRefusedCalls(bot, new Map([[minute(), calls]]));

describe("calls that Discord refuses", () => {
  test.each([
    ["401", { status: 401 }, 1],
    ["403", { status: 403, code: 50_013 }, 1],
    ["404", { status: 404, code: 10_003 }, 0],
    ["400", { status: 400, code: 50_035 }, 0],
  ])("are counted by all processes together, until ten minutes are over: %s", async (_, refusal, counts) => {
    discord.faults.refuse("POST", "/channels/:room/messages", refusal);
    for (const { refusals, rooms } of [createProcess(), createProcess()]) {
      await expect(rooms.post(discord.rooms.feed, message())).rejects.toMatchObject({
        code: expect.any(String),
      });
      expect(refusals.count()).toBe(counts);
      await refusals.close();
    }
    expect(await countRefusedCalls(bot)).toBe(2 * counts);
    bot.clock.advance(601);
    expect(await countRefusedCalls(bot)).toBe(0);
  });

  test("are 429 too, but not where the limit is shared with others", async () => {
    const { refusals, rooms } = createProcess();
    const limit = (scope: string) => ({
      status: 429,
      headers: { "retry-after": "1", "x-ratelimit-scope": scope },
      body: { message: "slow down", retry_after: 0.1, global: false },
    });
    discord.faults.add("POST", "/channels/:room/messages", limit("shared"));
    await rooms.post(discord.rooms.feed, message());
    expect(refusals.count()).toBe(0);
    discord.faults.add("POST", "/channels/:room/messages", limit("user"));
    await rooms.post(discord.rooms.feed, message());
    expect(refusals.count()).toBe(1);
  });

  test("slow down what happens in the background long before Discord bans the address, and stop it", async () => {
    await happened(999);
    const { refusals, rooms } = createProcess();
    discord.faults.refuse("POST", "/channels/:room/messages", { status: 403, code: 50_013 }, 1);
    await expect(rooms.post(discord.rooms.feed, message())).rejects.toMatchObject({
      code: "room_unavailable",
    });
    // What is counted is written soon, and what others counted is read with it.
    await expect.poll(() => refusals.count()).toBe(1000);
    await rooms.post(discord.rooms.feed, message());
    await expect(rooms.post(discord.rooms.feed, message())).rejects.toMatchObject({
      code: "discord_unreachable",
      retryAfter: 1,
    });
    bot.clock.advance(1);
    await rooms.post(discord.rooms.feed, message());
    expect(lines.map(({ msg }) => msg)).toContainEqual(
      expect.stringContaining("refused 1000 calls within ten minutes"),
    );
    expect((await scene.run("owner", "status")).text).toContain("posts once a second until the count falls");

    await happened(1500);
    bot.clock.advance(6);
    await rooms.post(discord.rooms.feed, message());
    await expect.poll(() => refusals.count()).toBe(2500);
    bot.clock.advance(6);
    await expect(rooms.post(discord.rooms.feed, message())).rejects.toMatchObject({ retryAfter: 30 });
    expect((await scene.run("owner", "status")).text).toContain("posts nothing until the count falls");
    bot.clock.advance(600);
    await expect
      .poll(
        () =>
          rooms.post(discord.rooms.feed, message()).then(
            () => "sent",
            () => "kept",
          ),
        { timeout: 60_000 },
      )
      .toBe("sent");
  });
});
