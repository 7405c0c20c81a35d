// @ts-nocheck
import { Client, type ClientOptions, Events, GatewayIntentBits, type Interaction } from "discord.js";
import { type TestDiscord, testToken } from "./discord.ts";

/** The real discord.js, set as our bot is; `answer` gets every interaction. */
export function createTestBot(
  discord: Pick<TestDiscord, "api">,
  answer: (interaction: Interaction) => Promise<unknown> = async () => {},
  options: Partial<ClientOptions> = {},
): Client {
  const client = new Client({
    intents: [GatewayIntentBits.Guilds],
    allowedMentions: { parse: [] },
    enforceNonce: true,
    ...options,
    rest: { api: discord.api, version: "10", ...options.rest },
  });
  client.on(Events.InteractionCreate, (interaction) => void answer(interaction).catch(() => {}));
  return client;
}

export async function logIn(client: Client, token = testToken): Promise<void> {
  const ready = new Promise((resolve) => client.once(Events.ClientReady, resolve));
  await client.login(token);
  await ready;
}
