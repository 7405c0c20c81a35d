// @ts-nocheck
import { once } from "node:events";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { commands } from "../../commands/index.ts";
import { connectDiscord, type DiscordConnection } from "../../src/discord/connect.ts";
import { answer, type Command } from "../../src/discord/command.ts";
import { text } from "../../src/discord/option.ts";
import type { AppError } from "../../src/errors.ts";
import { createTestBot, silentRooms, type TestBot } from "../support/bot.ts";
import { startTestDiscord, type TestDiscord, testToken } from "../support/discord.ts";

let bot: TestBot;
let discord: TestDiscord;
let connection: DiscordConnection | undefined;
let refused: AppError[];

beforeAll(async () => {
  bot = await createTestBot();
});
afterAll(() => bot.database.close());
beforeEach(async () => {
  await bot.database.truncate();
  discord = await startTestDiscord({ acknowledgeWithin: 1000 });
  refused = [];
});
afterEach(async () => {
  await connection?.close();
  connection = undefined;
  await discord.stop();
});

async function connect(list: readonly Command[] = commands, token = testToken): Promise<void> {
  const settings = { token, api: discord.api, onRefused: (error: AppError) => void refused.push(error) };
  connection = await connectDiscord({ ...bot, rooms: silentRooms, commands: list }, settings);
}

function countDeployments(): () => number {
  let deployments = 0;
  discord.context.exchanged.listen(({ method, path }) => {
    if (method === "PUT" && path.endsWith("/commands")) deployments += 1;
  });
  return () => deployments;
}

test("deploys the commands once, and again only when they changed", async () => {
  const deployments = countDeployments();
  await connect();
  await connection?.close();
  await connect();
  expect(deployments()).toBe(1);
  await connection?.close();
  await connect(commands.slice(1));
  expect(deployments()).toBe(2);
  expect(discord.context.violations).toEqual([]);
});

test("a wrong token is said to be wrong, with what to do", async () => {
  await expect(connect(commands, "not.the.token")).rejects.toMatchObject({
    code: "invalid_configuration",
    message: expect.stringContaining("DISCORD_TOKEN"),
  });
});

test("a token that is refused later is an alarm, told once", async () => {
  await connect();
  discord.rotateToken("another");
  await expect(connection?.client.application.fetch()).rejects.toThrow("401");
  await expect(connection?.client.application.fetch()).rejects.toThrow("token");
  expect(refused).toMatchObject([{ code: "invalid_configuration" }]);
});

test("a slow command is acknowledged in time, and a second person is not kept waiting by it", async () => {
  const held = new AbortController();
  const slow: Command = {
    name: "slow",
    description: "Takes long",
    handler: answer({
      description: "Takes long",
      options: { word: text({ description: "Said back" }) },
      run: async (_, { word }) => {
        if (word === undefined) await once(held.signal, "abort");
        return { content: `done ${word ?? ""}` };
      },
    }),
  };
  await connect([slow]);
  const seen: string[] = [];
  discord.context.happened.listen((event) => {
    if (event.kind === "message" && event.message.content) seen.push(event.message.content);
  });
  const first = discord.people.slash({ user: "member", room: "general", command: "slow" });
  expect((await first.outcome).kind).toBe("message");
  discord.people.slash({ user: "owner", room: "general", command: "slow", options: { word: "quick" } });
  await expect.poll(() => seen).toEqual(["done quick"]);
  held.abort();
  await expect.poll(() => seen).toEqual(["done quick", "done"]);
});

test("suggestions that fail are an empty list", async () => {
  const broken: Command = {
    name: "broken",
    description: "Has no suggestions",
    handler: answer({
      description: "Has no suggestions",
      options: { word: text({ description: "Which", suggest: () => Promise.reject(new Error("no")) }) },
      run: async () => ({ content: "done" }),
    }),
  };
  await connect([broken]);
  const typed = {
    user: "member",
    room: "general",
    command: "broken",
    options: { word: "a" },
    focused: "word",
  };
  expect(await discord.people.autocomplete(typed)).toEqual([]);
});
