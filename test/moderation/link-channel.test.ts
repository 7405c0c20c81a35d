import { expect, test } from "vitest";
import { linkChannel, unlinkChannel } from "../../src/moderation/link-channel.ts";
import { pauseRules } from "../../src/rules/limits/pause.ts";
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

test("a pause of the rules ends with the link, as whoever links it next knows nothing of it", async () => {
  const { query } = bot.database;
  const pause = { guildId: "g1", channelId: "memes", pausedBy: "100", reason: null, until: null };
  await bot.database.transaction((tx) => pauseRules(tx, bot.clock, pause));
  await unlinkChannel(bot, { guildId: "g1", userId: "100" }, "memes");
  expect(await query.selectFrom("castellan.automod_pauses").selectAll().execute()).toEqual([]);
});
