import { once } from "node:events";
import { afterEach, beforeEach, expect, test } from "vitest";
import { answer, type Command } from "../../src/discord/command.ts";
import { connectDiscord, type DiscordConnection } from "../../src/discord/connect.ts";
import { createRooms } from "../../src/discord/rooms.ts";
import { AppError } from "../../src/errors.ts";
import type { Message } from "../../src/sandbox/discord/world/world.ts";
import { createChat, see } from "../support/bot-in-discord.ts";
import { startTestDiscord, type TestDiscord, testToken } from "../support/discord.ts";
import { useEmptyWorld } from "../support/test-cases.ts";

let discord: TestDiscord;
let connection: DiscordConnection | undefined;
let work: AbortController;
/** The command has begun. */
let begun: Promise<void>;
let begin: () => void;

const bot = await useEmptyWorld();
beforeEach(async () => {
  work = new AbortController();
  begun = new Promise((resolve) => (begin = resolve));
  discord = await startTestDiscord({ tokenLife: 1500 });
});
afterEach(async () => {
  // Closing waits for commands that are running.
  work.abort();
  await connection?.close();
  await discord.stop();
});

/** A command that ends when `work` is aborted, or fails with its reason. */
const long: Command = {
  name: "long",
  handler: answer({
    description: "Takes long",
    needs: "everyone",
    options: {},
    async run() {
      begin();
      if (!work.signal.aborted) await once(work.signal, "abort");
      if (work.signal.reason instanceof AppError) throw work.signal.reason;
      const files = [{ name: "all.txt", text: "many\0 lines" }];
      return { embeds: [{ description: "SECRET outcome" }], files };
    },
  }),
};

async function connect(answerLife?: number): Promise<void> {
  const settings = { token: testToken, api: discord.api, onRefused: () => {} };
  connection = await connectDiscord(
    {
      ...bot,
      rooms: createRooms(settings),
      commands: [long],
      ...(answerLife !== undefined && { answerLife }),
    },
    settings,
  );
}

const announced = () =>
  (discord.context.world.messages.get(discord.rooms.general) ?? [])
    .filter(({ visibleTo }) => visibleTo === null)
    .map(see);
const seenBy = (user: string): Message[] =>
  (discord.context.world.messages.get(discord.rooms.general) ?? []).filter(
    ({ visibleTo }) => visibleTo === idOf(user),
  );
const idOf = (name: string) =>
  [...discord.context.world.users.values()].find(({ username }) => username === name)?.id ?? "";
const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

test.each([
  ["known by the clock", 1200],
  ["known by Discord's refusal alone", undefined],
])(
  "what ends after the answer's time is announced in the room, and shown to whoever asked alone: %s",
  async (_, life) => {
    await connect(life);
    discord.people.slash({ user: "moderator", room: "general", command: "long" });
    await begun;
    await pause(1700);
    work.abort();
    await expect.poll(announced).toHaveLength(1);
    const [message] = announced();
    if (!message) throw new Error("nothing was announced");
    expect(message.text).toContain(`<@${idOf("moderator")}>: /long took longer`);
    expect(message.text).not.toContain("SECRET");

    // Nothing that another program with the bot's token has posted.
    const rooms = createRooms({ token: testToken, api: discord.api, onRefused: () => {} });
    expect(await rooms.recent(discord.rooms.general)).toEqual([]);

    const chat = createChat(discord);
    chat.clickOnly("stranger", message, "Show the answer");
    await expect
      .poll(() => seenBy("stranger").flatMap(({ embeds }) => embeds))
      .toMatchObject([{ description: "These buttons belong to the person who ran the command." }]);
    chat.clickOnly("moderator", message, "Show the answer");
    await expect.poll(() => JSON.stringify(seenBy("moderator").at(-1)?.embeds)).toContain("SECRET outcome");
    expect(seenBy("moderator").at(-1)?.attachments).toMatchObject([{ filename: "all.txt" }]);
    expect(announced()).toMatchObject([{ text: message.text }]);
  },
);

test("before the answer's time is over, it says that the rest is posted in the room", async () => {
  await connect(1200);
  discord.people.slash({ user: "moderator", room: "general", command: "long" });
  await expect.poll(() => JSON.stringify(seenBy("moderator"))).toContain("Still working");
  work.abort();
});

test("what fails after the answer's time is told in the same way", async () => {
  await connect(1200);
  discord.people.slash({ user: "moderator", room: "general", command: "long" });
  await begun;
  await pause(1700);
  work.abort(new AppError("network_unreachable", "The network did not answer."));
  await expect.poll(announced).toHaveLength(1);
  const [message] = announced();
  if (!message) throw new Error("nothing was announced");
  createChat(discord).clickOnly("moderator", message, "Show the answer");
  await expect.poll(() => JSON.stringify(seenBy("moderator").at(-1)?.embeds)).toContain("did not answer");
});

test("what ends in time announces nothing", async () => {
  await discord.stop();
  discord = await startTestDiscord({ tokenLife: 60_000 });
  const life = 4_000;
  await connect(life);
  work.abort();
  const seen = await createChat(discord).run("moderator", "long");
  expect(seen.text).toContain("SECRET outcome");
  await pause(life + 300);
  expect(announced()).toEqual([]);
});
