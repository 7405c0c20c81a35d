import { connectDiscord, type DiscordConnection } from "../../src/discord/connect.ts";
import { createRooms } from "../../src/discord/rooms.ts";
import { commands } from "../../commands/index.ts";
import { createServerChanges } from "../../src/start/bot-half.ts";
import { createTestBot, seedChannel, type TestBot, verifyDiscord } from "./bot.ts";
import { createChat, type Chat } from "./chat.ts";
import { startTestDiscord, type TestDiscord, testToken } from "./discord.ts";

export interface BotInDiscord extends Chat {
  bot: TestBot;
  discord: TestDiscord;
  /** Discord user ids. */
  users: Record<"owner" | "moderator" | "member" | "stranger", string>;
  errors: Error[];
  /** Ends the bot and starts it anew on the same database; `changes` to its context stay. */
  restart(changes?: Partial<TestBot>): Promise<void>;
  /** Ends the bot alone. */
  disconnect(): Promise<void>;
  stop(): Promise<void>;
}

/** The bot with the real discord.js in the local Discord, on the embedded network. */
export async function startBotInDiscord(): Promise<BotInDiscord> {
  const bot = await createTestBot();
  const discord = await startTestDiscord();
  const errors: Error[] = [];
  let connection: DiscordConnection | undefined;

  async function connect(changes: Partial<TestBot> = {}): Promise<void> {
    const settings = {
      token: testToken,
      api: discord.api,
      onRefused: (error: Error) => void errors.push(error),
      servers: createServerChanges({ ...bot, ...changes }),
    };
    const rooms = createRooms(settings);
    connection = await connectDiscord({ ...bot, ...changes, rooms, commands }, settings);
  }

  await connect();
  const idOf = (name: string) =>
    [...discord.context.world.users.values()].find(({ username }) => username === name)?.id ?? "";
  return {
    bot,
    discord,
    users: {
      owner: idOf("owner"),
      moderator: idOf("moderator"),
      member: idOf("member"),
      stranger: idOf("stranger"),
    },
    errors,
    ...createChat(discord),
    async restart(changes) {
      await connection?.close();
      await connect(changes);
    },
    async disconnect() {
      await connection?.close();
      connection = undefined;
    },
    async stop() {
      await connection?.close();
      await discord.stop();
      await bot.database.close();
    },
  };
}

/** An empty database again, with the channel memes linked to the test server by its owner, whose account is verified. */
export async function resetBot({ bot, discord, users }: BotInDiscord): Promise<void> {
  await bot.database.truncate();
  await seedChannel(bot, "memes", discord.guildId);
  await bot.database.query.updateTable("castellan.links").set({ linked_by: users.owner }).execute();
  await verifyDiscord(bot, 1, users.owner);
  await verifyDiscord(bot, 2, users.moderator);
  discord.context.faults.clear();
  discord.context.violations.length = 0;
}
