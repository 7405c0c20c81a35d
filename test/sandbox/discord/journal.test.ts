import { appendFile, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { postMessage } from "../../../src/sandbox/discord/messages/write-message.ts";
import { compareIds, createSnowflakes } from "../../../src/sandbox/discord/snowflake.ts";
import { sendRaw, startTestDiscord, type TestDiscord } from "../../support/discord.ts";
import { clockOf } from "../../support/world.ts";

let directory: string;
let file: string;
let discord: TestDiscord;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "castellan-journal-"));
  file = join(directory, "discord.jsonl");
  discord = await startTestDiscord({ file });
});

afterEach(async () => {
  await discord.stop();
  await rm(directory, { recursive: true });
});

const post = (content: string) =>
  sendRaw(discord, "POST", `/channels/${discord.rooms.feed}/messages`, { content });

async function restart(): Promise<void> {
  await discord.stop();
  discord = await startTestDiscord({ file });
}

async function contents(): Promise<unknown[]> {
  const { body } = await sendRaw(discord, "GET", `/channels/${discord.rooms.feed}/messages`);
  return Array.isArray(body) ? body.map(({ content }: { content: unknown }) => content) : [];
}

test("messages, edits, deletions, commands and permissions are there after a restart, under the same ids", async () => {
  const commands = `/applications/${discord.applicationId}/guilds/${discord.guildId}/commands`;
  const { id: first } = (await post("one")).body;
  const { id: second } = (await post("two")).body;
  await post("three");
  await sendRaw(discord, "PATCH", `/channels/${discord.rooms.feed}/messages/${first}`, { content: "uno" });
  await sendRaw(discord, "DELETE", `/channels/${discord.rooms.feed}/messages/${second}`);
  const made = await sendRaw(discord, "POST", commands, { name: "ping", description: "d" });
  discord.denyBot(discord.rooms.general, ["SendMessages"]);
  const { guildId, rooms } = discord;
  await restart();
  expect(discord).toMatchObject({ guildId, rooms });
  expect(await contents()).toEqual(["three", "uno"]);
  expect((await sendRaw(discord, "GET", `${commands}/${made.body.id}`)).status).toBe(200);
  const refused = await sendRaw(discord, "POST", `/channels/${rooms.general}/messages`, { content: "x" });
  expect(refused.body.code).toBe(50013);
});

test("a room keeps its newest 10,000 messages, in memory and after a restart; files go with the others", async () => {
  const { context, rooms, applicationId } = discord;
  const file = { field: "files[0]", filename: "a.txt", contentType: "text/plain", content: Buffer.from("a") };
  const say = (content: string, files = [] as (typeof file)[]) =>
    postMessage(context, { roomId: rooms.feed, authorId: applicationId, body: { content }, files });
  say("with a file", [file]);
  for (let n = 1; n <= 10_004; n += 1) say(`message ${n}`);
  const kept = () => discord.context.world.messages.get(rooms.feed) ?? [];
  expect(kept()).toHaveLength(10_000);
  expect(kept()[0]?.content).toBe("message 5");
  expect(context.world.files.size).toBe(0);
  await restart();
  expect(kept()).toHaveLength(10_000);
  expect(kept()[0]?.content).toBe("message 5");
});

test("what was answered is in the file at once, before any clean end", async () => {
  await post("kept");
  const copy = join(directory, "copy.jsonl");
  await writeFile(copy, await readFile(file));
  const other = await startTestDiscord({ file: copy });
  const messages = [...other.context.world.messages.values()].flat();
  expect(messages.map(({ content }) => content)).toEqual(["kept"]);
  await other.stop();
});

test("a line torn by a kill is dropped, and the next start is whole again", async () => {
  await post("whole");
  await discord.stop();
  await appendFile(file, '{"kind":"message","mess');
  discord = await startTestDiscord({ file });
  await post("after");
  await restart();
  expect(await contents()).toEqual(["after", "whole"]);
});

test("a damaged line in the middle is told with its number", async () => {
  await discord.stop();
  await writeFile(file, '{"kind":"room_removed","roomId":"1"}\nnonsense\n');
  await expect(startTestDiscord({ file })).rejects.toThrow(/damaged at line 2/);
  await rm(file);
  discord = await startTestDiscord({ file });
});

test("a start drops what no longer counts", async () => {
  const { id } = (await post("0")).body;
  for (let index = 0; index < 30; index += 1) {
    const message = discord.context.world.messages.get(discord.rooms.feed)?.[0];
    if (message) discord.context.record({ kind: "message", message: { ...message, content: `${index}` } });
  }
  await restart();
  const lines = (await readFile(file, "utf8")).split("\n").filter((line) => line.includes(`"id":"${id}"`));
  expect(lines).toHaveLength(1);
  expect(await contents()).toEqual(["29"]);
});

test("ids never repeat and always grow: within a millisecond, after a restart in it, and when the clock goes back", () => {
  let now = 1_800_000_000_000;
  const clock = clockOf(() => now);
  const ids: string[] = [];
  const first = createSnowflakes(clock, 1, "0");
  for (let index = 0; index < 5000; index += 1) ids.push(first());
  now -= 10_000;
  const second = createSnowflakes(clock, 2, ids.at(-1) ?? "0");
  for (let index = 0; index < 5000; index += 1) ids.push(second());
  expect(new Set(ids).size).toBe(10_000);
  expect(ids.toSorted(compareIds)).toEqual(ids);
});

test("an interaction's id, which no file keeps, is not given again after a restart in the same millisecond", () => {
  const clock = clockOf(() => 1_800_000_000_000);
  const kept = createSnowflakes(clock, 1, "0")();
  const lost = [kept, kept].map(() => createSnowflakes(clock, 1, kept)());
  expect(lost).not.toContain(createSnowflakes(clock, 2, kept)());
});
