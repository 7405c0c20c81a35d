import { afterAll, expect, it } from "vitest";
import { listCapabilities } from "../../src/moderation/capabilities.ts";
import { unlinkChannel } from "../../src/moderation/link-channel.ts";
import { importConfig } from "../../src/server-config/import-config.ts";
import { createWorld, linkGuild, type World } from "../support/world.ts";

const bot = await createWorld();
const guildId = "900";
afterAll(() => bot.database.close());

it("gives no rights in a channel that is unlinked after the comparison", async () => {
  for (const channelId of ["art", "memes"]) await linkGuild(bot, channelId, guildId);
  const transaction: World["database"]["transaction"] = async (work) => {
    await unlinkChannel(bot, { guildId, userId: "100" }, "memes");
    return bot.database.transaction(work);
  };
  const source = 'version: 1\nchannels: [{ channel: memes, roles: [{ role: "11", may: [ban] }] }]\n';
  const importing = importConfig(
    { ...bot, database: { ...bot.database, transaction } },
    { guildId, source, apply: true },
  );
  await expect(importing).rejects.toMatchObject({ code: "expired" });
  expect(await listCapabilities(bot, guildId, "memes")).toEqual([]);
});
