import { expect, test } from "vitest";
import { linkChannel } from "../../src/moderation/link-channel.ts";
import { useWorld } from "../support/test-cases.ts";
import { people, verifyDiscord } from "../support/world.ts";

const bot = await useWorld();

test("whoever links a channel, its events are read at once", async () => {
  await bot.net.seed.channel("art", { owner: people.owner });
  await verifyDiscord(bot, people.owner, "100");
  bot.woken.length = 0;
  const actor = { userId: "100", guildId: "900", roomId: "1", roleIds: [], managesServer: true };
  const { renewed } = await linkChannel(bot, actor, "art");
  expect([renewed, bot.woken]).toEqual([false, ["poll-hub"]]);
});
