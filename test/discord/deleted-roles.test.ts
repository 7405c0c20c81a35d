import { expect, test } from "vitest";
import { useBotInDiscord } from "../support/scenes.ts";

const scene = await useBotInDiscord();
const { discord } = scene;
const { query } = scene.bot.database;

test("what the holders of a role might do ends with the role", async () => {
  const grant = { guild_id: discord.guildId, channel_id: "memes", capability: "view" };
  const give = (role_id: string) =>
    query
      .insertInto("castellan.capabilities")
      .values({ ...grant, role_id })
      .execute();
  const holders = () => query.selectFrom("castellan.capabilities").select("role_id").execute();
  await give(discord.guildId);
  // The first may be found gone by what is compared at the start.
  for (const name of ["Helpers", "Others"]) {
    const roleId = discord.addRole(discord.guildId, { name }, []);
    await give(roleId);
    discord.removeRole(discord.guildId, roleId);
    await expect.poll(holders).toEqual([{ role_id: discord.guildId }]);
  }
});
