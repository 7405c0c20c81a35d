import { once } from "node:events";
import { rm } from "node:fs/promises";
import { dirname } from "node:path";
import {
  ChannelType,
  type Client,
  Events,
  type Guild,
  PermissionFlagsBits,
  type TextChannel,
  type ThreadChannel,
} from "discord.js";
import { afterEach, beforeEach, expect, test } from "vitest";
import {
  createDiscordClient,
  logIn,
  sendRaw,
  startTestDiscord,
  testWorld,
  type TestDiscord,
} from "../../support/discord.ts";

let discord: TestDiscord;
let client: Client;

beforeEach(async () => {
  discord = await startTestDiscord();
  client = createDiscordClient(discord, undefined, { waitGuildTimeout: 0 });
  await logIn(client);
});

afterEach(async () => {
  await client.destroy();
  await discord.stop();
});

/** The next event of this kind, of the first test server or the one that it brings. */
const next = (event: "guildCreate" | "guildDelete" | "guildUnavailable" | "guildAvailable") =>
  new Promise<Guild>((resolve) => client.once(event, resolve));
const heard = async (event: Events): Promise<unknown> => {
  const [told]: unknown[] = await once(client, event);
  return told;
};
const post = (room: string) => sendRaw(discord, "POST", `/channels/${room}/messages`, { content: "x" });

test("thrown out, the bot hears it once, may nothing, and is offered nowhere; invited again, all is back", async () => {
  await client.application?.commands.set([{ name: "ping", description: "d" }]);
  const { guildId, rooms, people } = discord;
  const gone = next("guildDelete");
  discord.removeBot(guildId);
  expect((await gone).id).toBe(guildId);
  expect(await post(rooms.feed)).toMatchObject({ status: 403, body: { code: 50001 } });
  expect((await sendRaw(discord, "GET", `/guilds/${guildId}`)).body.code).toBe(50001);
  expect(() => people.slash({ user: "owner", room: rooms.feed, command: "ping" })).toThrow(/no command/);
  const back = next("guildCreate");
  discord.inviteBot(guildId);
  expect((await back).channels.cache.size).toBe(3);
  expect((await post(rooms.feed)).status).toBe(200);
});

test("thrown out while it was away, it is not told of the server at its next start", async () => {
  await client.destroy();
  discord.removeBot(discord.guildId);
  const { file } = discord;
  await discord.stopServer();
  discord = await startTestDiscord({ file });
  client = createDiscordClient(discord);
  await logIn(client);
  expect(client.guilds.cache.size).toBe(0);
  await rm(dirname(file), { recursive: true });
});

test("an outage is told of, lasts over a start of the bot, and ends with all that is there", async () => {
  const { guildId } = discord;
  const away = next("guildUnavailable");
  discord.startOutage(guildId);
  await away;
  await client.destroy();
  client = createDiscordClient(discord, undefined, { waitGuildTimeout: 0 });
  await logIn(client);
  expect(client.guilds.cache.get(guildId)?.available).toBe(false);
  const back = next("guildAvailable");
  discord.endOutage(guildId);
  expect((await back).name).toBe("Test Guild");
});

test("a second server comes with its rooms, and is left alone by what happens to the first", async () => {
  const joined = next("guildCreate");
  const plan = { name: "Second", owner: "member", rooms: [{ name: "elsewhere" }] };
  const { guildId, rooms } = discord.addGuild(plan, testWorld.people);
  expect(await joined).toMatchObject({ id: guildId, name: "Second", available: true });
  discord.removeBot(discord.guildId);
  expect((await post(rooms["elsewhere"] ?? "")).status).toBe(200);
});

test("each shard gets its servers, and hears of no others", async () => {
  const big = await startTestDiscord({
    shards: 2,
    guilds: ["0", "1"].map((name) => ({
      id: String((BigInt(name) + 10n) << 22n),
      name,
      owner: "owner",
      rooms: [{ name: `room-${name}` }],
    })),
  });
  const sharded = createDiscordClient(big, undefined, { shards: "auto" });
  await logIn(sharded);
  const shards = () => sharded.guilds.cache.map(({ name, shardId }) => `${name} on ${shardId}`).toSorted();
  expect(shards()).toEqual(["0 on 0", "1 on 1"]);
  const sequences = () => [...big.context.gateway.sessions.values()].map(({ sequence }) => sequence);
  const [first = 0, second = 0] = sequences();
  const gone = once(sharded, Events.GuildDelete);
  big.removeBot(String(11n << 22n));
  await gone;
  expect(sequences()).toEqual([first, second + 1]);
  expect(shards()).toEqual(["0 on 0"]);
  await sharded.destroy();
  await big.stop();
});

test("roles come and go, with who has them", async () => {
  const made = heard(Events.GuildRoleCreate);
  const member = [...discord.context.world.users.values()].find(({ username }) => username === "member");
  const role = { name: "Helper", permissions: PermissionFlagsBits.ManageMessages };
  const roleId = discord.addRole(discord.guildId, role, [member?.id ?? ""]);
  expect(await made).toMatchObject({ id: roleId, name: "Helper" });
  const guild = client.guilds.cache.get(discord.guildId);
  expect((await guild?.members.fetch(member?.id ?? ""))?.roles.cache.has(roleId)).toBe(true);
  const gone = heard(Events.GuildRoleDelete);
  discord.removeRole(discord.guildId, roleId);
  expect(await gone).toMatchObject({ id: roleId });
  expect((await guild?.members.fetch({ user: member?.id ?? "", force: true }))?.roles.cache.size).toBe(1);
});

async function openThread(): Promise<ThreadChannel> {
  const opened = new Promise<ThreadChannel>((resolve) => client.once(Events.ThreadCreate, resolve));
  discord.addThread(discord.rooms.feed, "a talk");
  return opened;
}

test("a thread is opened, written in, locked, archived, opened again by a message, and removed", async () => {
  const thread = await openThread();
  expect(thread.parentId).toBe(discord.rooms.feed);
  const sent = await thread.send("one");
  const locked = heard(Events.ThreadUpdate);
  discord.changeThread(thread.id, { locked: true });
  await locked;
  expect(thread.locked).toBe(true);
  await expect(thread.send("x")).rejects.toMatchObject({ status: 400, code: 160005 });
  discord.changeThread(thread.id, { archived: true });
  await expect(thread.send("x")).rejects.toMatchObject({ status: 400, code: 50083 });
  await expect(sent.edit("x")).rejects.toMatchObject({ status: 400, code: 50083 });
  discord.changeThread(thread.id, { locked: false });
  const awake = heard(Events.ThreadUpdate);
  await sendRaw(discord, "POST", `/channels/${thread.id}/messages`, { content: "two" });
  await awake;
  expect(discord.context.world.rooms.get(thread.id)?.thread?.archived).toBe(false);
  const gone = heard(Events.ThreadDelete);
  discord.removeRoom(thread.id);
  await gone;
  expect((await post(thread.id)).body.code).toBe(10003);
});

test("threads have a permission of their own, and lose what the room loses", async () => {
  const thread = await openThread();
  discord.denyBot(discord.rooms.feed, ["SendMessagesInThreads"]);
  expect((await post(thread.id)).body.code).toBe(50013);
  expect((await post(discord.rooms.feed)).status).toBe(200);
  discord.denyBot(discord.rooms.feed, ["SendMessages"]);
  expect((await post(thread.id)).status).toBe(200);
  discord.denyBot(discord.rooms.feed, ["ViewChannel"]);
  expect((await post(thread.id)).body.code).toBe(50001);
  discord.removeRoom(discord.rooms.feed);
  expect((await post(thread.id)).body.code).toBe(10003);
});

test("a client that starts knows the threads that are active", async () => {
  const thread = await openThread();
  const archived = discord.addThread(discord.rooms.feed, "long ago");
  discord.changeThread(archived, { archived: true });
  await client.destroy();
  client = createDiscordClient(discord);
  await logIn(client);
  expect(client.channels.cache.has(thread.id)).toBe(true);
  expect(client.channels.cache.has(archived)).toBe(false);
});

test("a category takes no messages", async () => {
  const plan = {
    name: "Third",
    owner: "member",
    rooms: [{ name: "Moderation", type: ChannelType.GuildCategory }],
  };
  const { rooms } = discord.addGuild(plan, testWorld.people);
  expect(await post(rooms["Moderation"] ?? "")).toMatchObject({ status: 400, body: { code: 50008 } });
});

test("what the bot may not read is empty, and an embed that it may not show vanishes from an edit", async () => {
  const room = client.channels.cache.get(discord.rooms.feed) as TextChannel; // a text room of the test world
  const sent = await room.send({ content: "text", embeds: [{ title: "t" }] });
  discord.denyBot(room.id, ["EmbedLinks"]);
  expect((await sent.edit({ embeds: [{ title: "u" }] })).embeds).toEqual([]);
  await expect(sent.edit({ content: "", embeds: [{ title: "u" }] })).rejects.toMatchObject({ code: 50006 });
  discord.denyBot(room.id, ["ReadMessageHistory"]);
  expect((await room.messages.fetch({ limit: 10, cache: false })).size).toBe(0);
});
