import {
  type ChatInputCommandInteraction,
  Client,
  Events,
  GatewayDispatchEvents,
  type GatewayDispatchPayload,
  GatewayIntentBits,
  MessageFlags,
} from "discord.js";
import { afterEach, beforeEach, expect, test } from "vitest";
import { startTestDiscord, type TestDiscord, testToken } from "../../support/discord.ts";

let discord: TestDiscord;
let client: Client;

beforeEach(async () => {
  discord = await startTestDiscord();
  client = new Client({
    intents: [GatewayIntentBits.Guilds],
    allowedMentions: { parse: [] },
    enforceNonce: true,
    rest: { api: discord.api, version: "10" },
  });
});

afterEach(async () => {
  await client.destroy();
  await discord.stop();
});

async function logIn(): Promise<void> {
  const ready = new Promise((resolve) => client.once(Events.ClientReady, resolve));
  await client.login(testToken);
  await ready;
}

async function answer(interaction: ChatInputCommandInteraction): Promise<void> {
  await interaction.deferReply({ flags: MessageFlags.Ephemeral });
  await interaction.editReply("pong");
  await interaction.followUp({ content: "again", flags: MessageFlags.Ephemeral });
}

test("discord.js logs in, sees its guild and rooms, and nothing it did was a violation", async () => {
  await logIn();
  expect(client.guilds.cache.get(discord.guildId)?.name).toBe("Test Guild");
  expect(client.channels.cache.size).toBe(3);
  expect(discord.context.violations).toEqual([]);
});

test("a wrong token is refused", async () => {
  await expect(client.login("not.the.token")).rejects.toMatchObject({ code: "TokenInvalid" });
});

test("a privileged intent that was not granted ends the login", async () => {
  await client.destroy();
  client = new Client({
    intents: [GatewayIntentBits.GuildMembers],
    rest: { api: discord.api, version: "10" },
  });
  await expect(client.login(testToken)).rejects.toThrow(/disallowed intents/);
});

test("a command is answered privately: deferred, edited, followed up", async () => {
  await logIn();
  await client.application?.commands.set([{ name: "ping", description: "Answers" }], discord.guildId);
  client.on(Events.InteractionCreate, (interaction) => {
    if (interaction.isChatInputCommand()) void answer(interaction);
  });
  const followed = new Promise((resolve) => {
    discord.context.happened.listen((event) => {
      if (event.kind === "message" && event.message.content === "again") resolve(event.message.visibleTo);
    });
  });
  const asked = discord.people.slash({ user: "moderator", room: "general", command: "ping" });
  const outcome = await asked.outcome;
  expect(outcome).toMatchObject({ kind: "message", message: { visibleTo: asked.userId } });
  expect(await followed).toBe(asked.userId);
  expect(discord.context.violations).toEqual([]);
});

test("version 9 of the API is taken as well; of one that is none Discord says so", async () => {
  client = new Client({
    intents: [GatewayIntentBits.Guilds],
    rest: { api: discord.api, version: "9" },
    ws: { version: 9 },
  });
  const version = new Promise((resolve) =>
    client.on(
      Events.Raw,
      ({ t, d }: GatewayDispatchPayload) => t === GatewayDispatchEvents.Ready && resolve(d.v),
    ),
  );
  await logIn();
  expect(await version).toBe(9);
  expect((await client.channels.fetch(discord.rooms.feed, { force: true }))?.id).toBe(discord.rooms.feed);
  const other = await fetch(`${discord.api}/v11/gateway`);
  expect([other.status, await other.json()]).toEqual([
    400,
    { message: "Invalid API version specified", code: 50041 },
  ]);
});
