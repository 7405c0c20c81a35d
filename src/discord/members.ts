import { DiscordAPIError, RESTJSONErrorCodes, type Client } from "discord.js";
import { AppError } from "../errors.ts";
import { asMember, type CommandContext, type DiscordContext } from "./command-context.ts";

/** The people of the bot's servers, as Discord knows them at the moment. */
export interface Members {
  applicationId: string;
  /** The servers that the bot is in. */
  servers(this: void): { id: string; name: string }[];
  /**
   * What a member may work with, with the roles that they have now: Discord is asked each time. undefined for a server without
   * the bot, and for who is no member of it. Throws `discord_unreachable`.
   */
  enter(this: void, guildId: string, userId: string): Promise<CommandContext | undefined>;
  /** What people, roles and rooms that a text mentions are called, by id; what nobody knows is left out. */
  namesIn(this: void, guildId: string, text: string): Promise<Record<string, string>>;
  nameOf(this: void, userId: string): Promise<string | undefined>;
}

/** Names of people that are asked for at once; what else is mentioned stays a number. */
const mostAsked = 25;

export function createMembers(client: Client<true>, context: DiscordContext): Members {
  const nameOf = async (userId: string) => {
    // Kept by discord.js, once it was asked for.
    const user = await client.users.fetch(userId).catch(() => undefined);
    return user?.displayName;
  };
  return {
    applicationId: client.application.id,
    servers: () => client.guilds.cache.map(({ id, name }) => ({ id, name })),
    nameOf,
    async enter(guildId, userId) {
      const guild = client.guilds.cache.get(guildId);
      if (!guild) return undefined;
      try {
        const member = await guild.members.fetch({ user: userId, force: true, cache: false });
        return asMember(context, member);
      } catch (cause) {
        if (cause instanceof DiscordAPIError && strangers.includes(cause.code)) return undefined;
        const message = "Discord cannot be asked for your roles just now. Try again.";
        throw new AppError("discord_unreachable", message, { cause });
      }
    },
    async namesIn(guildId, text) {
      const guild = client.guilds.cache.get(guildId);
      const idsOf = (pattern: RegExp) => new Set([...text.matchAll(pattern)].map(([, id = ""]) => id));
      const people = [...idsOf(/<@!?(\d{5,20})>/g)].slice(0, mostAsked);
      const named = await Promise.all(people.map(async (id) => [id, await nameOf(id)] as const));
      const roles = [...idsOf(/<@&(\d{5,20})>/g)].map(
        (id) => [id, guild?.roles.cache.get(id)?.name] as const,
      );
      const rooms = [...idsOf(/<#(\d{5,20})>/g)].map(
        (id) => [id, guild?.channels.cache.get(id)?.name] as const,
      );
      return Object.fromEntries(
        [...named, ...roles, ...rooms].flatMap(([id, name]): [string, string][] =>
          name === undefined ? [] : [[id, name]],
        ),
      );
    },
  };
}

const strangers: readonly (string | number)[] = [
  RESTJSONErrorCodes.UnknownMember,
  RESTJSONErrorCodes.UnknownUser,
  RESTJSONErrorCodes.UnknownGuild,
];
