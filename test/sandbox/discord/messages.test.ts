import { type Client, PermissionFlagsBits, RESTEvents, type TextChannel } from "discord.js";
import { afterEach, beforeEach, expect, test } from "vitest";
import {
  createDiscordClient,
  logIn,
  sendRaw,
  startTestDiscord,
  type TestDiscord,
} from "../../support/discord.ts";
import { clockOf } from "../../support/world.ts";

let discord: TestDiscord;
let client: Client;
let room: TextChannel;
let moved: number;

beforeEach(async () => {
  moved = 0;
  discord = await startTestDiscord({ clock: clockOf(() => Date.now() + moved) });
  client = createDiscordClient(discord);
  await logIn(client);
  // The test world's rooms are text rooms.
  room = (await client.channels.fetch(discord.rooms.feed)) as TextChannel;
});

afterEach(async () => {
  await client.destroy();
  await discord.stop();
});

test("messages are posted, edited, listed newest first, and deleted", async () => {
  const first = await room.send("one");
  const second = await room.send({ embeds: [{ title: "two", footer: { text: "#2" } }] });
  await first.edit("uno");
  const listed = await room.messages.fetch({ limit: 10, cache: false });
  expect(listed.map(({ content, embeds }) => content || embeds[0]?.title)).toEqual(["two", "uno"]);
  const older = await room.messages.fetch({ before: second.id, cache: false });
  expect([...older.keys()]).toEqual([first.id]);
  const newer = await room.messages.fetch({ after: first.id, limit: 1, cache: false });
  expect([...newer.keys()]).toEqual([second.id]);
  await second.delete();
  await expect(room.messages.fetch({ message: second.id, force: true })).rejects.toMatchObject({
    code: 10008,
  });
  expect(discord.context.violations).toEqual([]);
});

function sendOnce() {
  return room.send({ content: "once", nonce: "case-1", enforceNonce: true });
}

test("a repeated nonce gives the first message again, for some minutes only", async () => {
  const { id } = await sendOnce();
  expect((await sendOnce()).id).toBe(id);
  moved += 5 * 60_000;
  expect((await sendOnce()).id).not.toBe(id);
});

test("a message pings only whom its sender allows", async () => {
  const person = [...discord.context.world.users.values()].find(({ bot }) => !bot);
  const content = `<@${person?.id}> @everyone`;
  const quiet = await room.send(content);
  expect([quiet.mentions.users.size, quiet.mentions.everyone]).toEqual([0, false]);
  const loud = await room.send({ content, allowedMentions: { parse: ["users"] } });
  expect([loud.mentions.users.size, loud.mentions.everyone]).toEqual([1, false]);
});

test("a role is notified if it is mentionable, or if the sender may mention all roles there", async () => {
  const { guildId } = discord;
  const roleId = discord.addRole(guildId, { name: "On call" }, []);
  const notified = async () => {
    const sent = await room.send({ content: `<@&${roleId}>`, allowedMentions: { roles: [roleId] } });
    return [...sent.mentions.roles.keys()];
  };
  expect(await notified()).toEqual([]);
  discord.setMentionable(guildId, roleId, true);
  expect(await notified()).toEqual([roleId]);
  discord.setMentionable(guildId, roleId, false);
  const everybody = discord.context.world.guilds.get(guildId)?.roles.find(({ id }) => id === guildId);
  const granted = BigInt(everybody?.permissions ?? 0) | PermissionFlagsBits.MentionEveryone;
  discord.changeRole(guildId, guildId, granted);
  expect(await notified()).toEqual([roleId]);
  discord.denyBot(room.id, ["MentionEveryone"]);
  expect(await notified()).toEqual([]);
});

test("a file comes back as it was sent", async () => {
  const sent = await room.send({ files: [{ attachment: Buffer.from("rules: []"), name: "rules.yaml" }] });
  const url = sent.attachments.first()?.url ?? "";
  expect(await (await fetch(url)).text()).toBe("rules: []");
});

test("what the bot may not do in a room is refused as Discord does, and given back", async () => {
  discord.denyBot(room.id, ["SendMessages"]);
  await expect(room.send("x")).rejects.toMatchObject({ status: 403, code: 50013 });
  discord.denyBot(room.id, ["EmbedLinks"]);
  await expect(room.send({ embeds: [{ title: "t" }] })).rejects.toMatchObject({ code: 50013 });
  discord.denyBot(room.id, ["ViewChannel"]);
  await expect(room.send("x")).rejects.toMatchObject({ status: 403, code: 50001 });
  discord.denyBot(room.id, []);
  await expect(room.send("x")).resolves.toMatchObject({ content: "x" });
  discord.removeRoom(room.id);
  await expect(client.rest.get(`/channels/${room.id}`)).rejects.toMatchObject({ status: 404, code: 10003 });
});

test("nobody's message but the bot's own is edited, nor deleted without the permission", async () => {
  const { id } = discord.people.say({ user: "member", room: "feed", content: "hello" });
  await expect(
    client.rest.patch(`/channels/${room.id}/messages/${id}`, { body: { content: "x" } }),
  ).rejects.toMatchObject({ code: 50005 });
  discord.denyBot(room.id, ["ManageMessages"]);
  await expect(client.rest.delete(`/channels/${room.id}/messages/${id}`)).rejects.toMatchObject({
    code: 50013,
  });
});

test("discord.js keeps inside the room's bucket by its headers; who does not gets 429", async () => {
  const limited: unknown[] = [];
  client.rest.on(RESTEvents.RateLimited, (info) => limited.push(info));
  await Promise.all(Array.from({ length: 6 }, (_, index) => room.send(`${index}`)));
  expect(limited).not.toEqual([]);
  expect(discord.context.violations).toEqual([]);
  const path = `/channels/${discord.rooms.general}/messages`;
  const answers = [];
  for (let index = 0; index < 6; index += 1)
    answers.push(await sendRaw(discord, "POST", path, { content: "x" }));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 429]);
  expect(answers[4]?.headers.get("x-ratelimit-remaining")).toBe("0");
  expect(answers[5]?.body).toMatchObject({ message: "You are being rate limited.", global: false });
});

test("more than 50 requests in a second meet the global limit; answers to interactions do not count", async () => {
  const clock = clockOf(() => 1_900_000_000_000);
  const still = await startTestDiscord({ clock });
  const unknown = "/interactions/1/token/callback";
  for (let index = 0; index < 60; index += 1) await sendRaw(still, "POST", unknown, { type: 5 });
  const statuses = [];
  for (let index = 0; index < 51; index += 1)
    statuses.push((await sendRaw(still, "GET", "/users/@me")).status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(50);
  expect(statuses.at(-1)).toBe(429);
  await still.stop();
});

test("requests without token, with another User-Agent, and for unknown routes", async () => {
  expect((await sendRaw(discord, "GET", "/users/@me", undefined, { authorization: "Bot x" })).status).toBe(
    401,
  );
  expect((await sendRaw(discord, "GET", "/nothing")).status).toBe(404);
  await sendRaw(discord, "GET", "/users/@me", undefined, { "user-agent": "curl" });
  expect(discord.context.violations.map(({ message }) => message)).toEqual([
    "404: Not Found",
    "User-Agent must be DiscordBot (url, version)",
  ]);
});
