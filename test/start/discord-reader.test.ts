import { ChannelType } from "discord.js";
import { afterAll, expect, it } from "vitest";
import { createDiscordReader } from "../../src/start/doctor/discord-rest.ts";
import { startTestDiscord, testToken, testWorld } from "../support/discord.ts";

const discord = await startTestDiscord();
afterAll(() => discord.stop());

const { guildId, rooms, context } = discord;
/** Another server of the bot, with its own role and rooms. */
const other = discord.addGuild(
  {
    name: "Other",
    owner: "owner",
    roles: [{ name: "Moderator", permissions: 0n }],
    rooms: [{ name: "general" }, { name: "category", type: ChannelType.GuildCategory }],
  },
  testWorld.people,
);
const roleOf = (guild: string) =>
  context.world.guilds.get(guild)?.roles.find(({ name }) => name === "Moderator")?.id ?? "";
const read = () => createDiscordReader({ token: testToken, api: discord.api });

it("knows the rooms and threads of a server, what the bot lacks there, and no others", async () => {
  discord.denyBot(rooms["mod-log"], ["EmbedLinks"]);
  const thread = discord.addThread(rooms.general, "thread");
  const reader = read();
  expect(await reader.lacksIn(guildId, rooms.general)).toEqual([]);
  expect(await reader.lacksIn(guildId, thread)).toEqual([]);
  expect(await reader.lacksIn(guildId, rooms["mod-log"])).toEqual(["Embed Links"]);
  expect(await reader.lacksIn(guildId, other.rooms["general"] ?? "")).toBeUndefined();
  expect(await reader.lacksIn(other.guildId, thread)).toBeUndefined();
  expect(await reader.lacksIn(guildId, "1")).toBeUndefined();
});

it("does not take a room that only contains others for one that takes posts", async () => {
  expect(await read().lacksIn(other.guildId, other.rooms["category"] ?? "")).toBeUndefined();
});

it("knows the roles of a server, and Discord's users", async () => {
  const reader = read();
  const user = [...context.world.users.keys()][0] ?? "";
  const asked = [
    reader.hasRole(guildId, roleOf(guildId)),
    reader.hasRole(guildId, roleOf(other.guildId)),
    reader.isUser(user),
    reader.isUser("99999999999999999999"),
  ];
  expect(await Promise.all(asked)).toEqual([true, false, true, false]);
});

it("throws for a server without the bot, and takes an outage for nothing else", async () => {
  await expect(read().hasRole("123", "1")).rejects.toMatchObject({ code: "not_found" });
  discord.removeBot(other.guildId);
  await expect(read().lacksIn(other.guildId, "1")).rejects.toMatchObject({ code: "not_found" });
  for (const path of ["/channels/:room", "/users/:user"]) {
    discord.faults.refuse("GET", path, { status: 503, code: 0 });
  }
  await expect(read().lacksIn(guildId, "1")).rejects.toMatchObject({ code: "discord_unreachable" });
  await expect(read().isUser("1")).rejects.toMatchObject({ code: "discord_unreachable" });
});
