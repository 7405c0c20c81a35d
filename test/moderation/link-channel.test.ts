import { expect, test } from "vitest";
import { linkChannel, unlinkChannel } from "../../src/moderation/link-channel.ts";
import { listLockdowns, saveLockdown } from "../../src/rules/limits/lockdown.ts";
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

test("a pause and a lockdown end with the link, as whoever links it next knows nothing of them", async () => {
  const { query } = bot.database;
  const now = bot.clock.now();
  const pause = { guildId: "g1", channelId: "memes", pausedBy: "100", reason: null, until: null };
  const lockdown = {
    guild_id: "g1",
    channel_id: "memes",
    rule_id: "lockdown-memes",
    begun_at_ms: now,
    until_ms: now + 3_600_000,
    begun_by: "100",
    reason: "a raid",
  };
  await bot.database.transaction(async (tx) => {
    await pauseRules(tx, bot.clock, pause);
    await saveLockdown(tx, lockdown);
    await saveLockdown(tx, { ...lockdown, guild_id: "g2" });
  });
  await unlinkChannel(bot, { guildId: "g1", userId: "100" }, "memes");
  expect(await query.selectFrom("castellan.automod_pauses").selectAll().execute()).toEqual([]);
  expect(await listLockdowns(query, "g1")).toEqual([]);
  expect(await listLockdowns(query, "g2")).toHaveLength(1);
});
