import { beforeEach } from "vitest";
import type { CommandContext } from "../../src/discord/command-context.ts";
import type { RawValues } from "../../src/discord/command.ts";
import { findHandler } from "../../src/discord/find-handler.ts";
import { readArguments } from "../../src/discord/run-command.ts";
import { giveCapabilities, type Capability } from "../../src/moderation/capabilities.ts";
import { commands } from "../../commands/index.ts";
import { preview } from "./confirmed.ts";
import { useWorld } from "./test-cases.ts";
import { commandContext, people, seedChannel, verifyDiscord } from "./world.ts";

export const troll = String(people.troll);
/** What a ban everywhere is typed as. */
export const typed = { user: troll, duration: "7d", reason: "spam", everywhere: true };
export const channelIds = ["memes", "art", "games"];

/** A server that is linked to three channels, for the tests of a file. */
export async function useThreeChannels() {
  const bot = await useWorld();

  beforeEach(async () => {
    await seedChannel(bot, "art", "g1");
    await seedChannel(bot, "games", "g1");
    await verifyDiscord(bot, people.moderator, "1002");
  });

  function contextOf(userId: string, ...roleIds: string[]): CommandContext {
    return commandContext(bot, { userId, guildId: "g1", roomId: "1", roleIds, managesServer: false });
  }

  /** A member of a role that has these capabilities, by channel. */
  async function withRole(rights: Record<string, Capability[]>): Promise<CommandContext> {
    for (const [channelId, capabilities] of Object.entries(rights)) {
      const grant = { guildId: "g1", channelId, roleId: "77", capabilities };
      await bot.database.transaction((tx) => giveCapabilities(tx, grant));
    }
    // What suggestions remember of rights is older than this.
    bot.clock.advance(10);
    return contextOf("1006", "77");
  }

  async function bannedFrom(): Promise<string[]> {
    const found: string[] = [];
    for (const channelId of channelIds) {
      const { result } = await bot.network.channelBans.list({ channelId });
      if (result.bannedUsers.some(({ fid }) => fid === people.troll)) found.push(channelId);
    }
    return found;
  }

  /** Moderates all channels of the server. */
  const createModerator = () => contextOf("1002");

  return { bot, createModerator, withRole, bannedFrom };
}

/** Runs a command that asks nothing. */
export async function run(context: CommandContext, path: string, raw: RawValues = {}) {
  const handler = findHandler(commands, path);
  const args = await readArguments(context, handler?.options ?? {}, raw);
  if (handler?.kind === "answer") return handler.run(context, args);
  if (handler?.kind === "listing") return (await handler.page(context, args, undefined)).view;
  throw new Error(`/${path} asks first`);
}

export async function banEverywhere(moderator: CommandContext): Promise<void> {
  await (await preview(moderator, "ban", typed)).act();
}
