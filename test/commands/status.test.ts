import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { ClockStatus } from "../../src/bot-context.ts";
import { resetBot, startBotInDiscord, type BotInDiscord } from "../support/bot-in-discord.ts";

let scene: BotInDiscord;

beforeAll(async () => {
  scene = await startBotInDiscord();
});
afterAll(() => scene.stop());
beforeEach(() => resetBot(scene));

async function statusWith(status: ClockStatus): Promise<string> {
  await scene.restart({ clockStatus: () => status });
  return (await scene.run("owner", "status")).text;
}

describe("/status names a clock", () => {
  test.each([
    [8_000, "8 s ahead of"],
    [-30_000, "30 s behind"],
    [7_200_000, "2 h ahead of"],
    [-86_400_000 * 3, "3 days behind"],
  ])("that is %i ms from the network's", async (machineAhead, words) => {
    const text = await statusWith({ machineAhead, jump: undefined });
    expect(text).toContain(`machine is **${words}** the network's`);
  });

  test.each([
    [-3_600_000, "back by 60 min, <t:1700000000:R>"],
    [86_400_000, "forward by 24 h, <t:1700000000:R>"],
  ])("that jumped by %i ms", async (by, words) => {
    const text = await statusWith({ machineAhead: 0, jump: { at: 1_700_000_000_000, by } });
    expect(text).toContain(`jumped ${words}`);
  });

  test("not while it is right, to a few seconds", async () => {
    for (const machineAhead of [0, 4_000, -4_000]) {
      expect(await statusWith({ machineAhead, jump: undefined })).not.toContain("machine");
    }
  });
});

test.each([
  ["SendMessages", "**paused** ", "**Castellan lacks Send Messages**"],
  ["EmbedLinks", "**paused** ", "**Castellan lacks Embed Links**"],
  ["ReadMessageHistory", "0 waiting, 0 refused, ", "**Castellan lacks Read Message History**"],
] as const)(
  "/status says of a room of a feed that Castellan lacks %s there",
  async (denied, state, words) => {
    const { discord } = scene;
    await scene.run("owner", "feed add", {}, "feed");
    const line = async () =>
      (await scene.run("owner", "status")).text
        .split("\n")
        .find((one) => one.startsWith(`<#${discord.rooms.feed}>`));
    expect(await line()).toContain("0 waiting, 0 refused");
    discord.denyBot(discord.rooms.feed, [denied]);
    await expect.poll(line, { timeout: 5000 }).toContain(state);
    expect(await line()).toContain(words);
    discord.denyBot(discord.rooms.feed, []);
    await expect.poll(line, { timeout: 5000 }).toContain("0 waiting, 0 refused");
    expect(await line()).not.toContain("lacks");
  },
);

test("/status does not call up to date what was read in a future", async () => {
  const good_at_ms = scene.bot.clock.now() + 3_600_000;
  await scene.bot.database.query
    .insertInto("castellan.sources")
    .values({ source: "hub", channel_id: null, good_at_ms })
    .execute();
  const { text } = await scene.run("owner", "status");
  expect(text).toContain("hub: **last read in the future**");
});
