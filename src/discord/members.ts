import type { Client } from "discord.js";
import { LRUCache } from "lru-cache";
import { AppError } from "../errors.ts";
import { createMemberReader } from "./ask-members.ts";
import { asMember, type CommandContext, type DiscordContext } from "./command-context.ts";

/** The members of the bot's servers, as Discord knows them at the moment. */
export interface Members {
  applicationId: string;
  /** The servers that the bot is in. */
  servers(this: void): { id: string; name: string }[];
  /**
   * A member's permissions with their present roles. Discord is asked each time, because it reports a lost role only
   * with the privileged members intent, which Castellan does not request. Repeated requests about someone who is not a
   * member are limited to one a minute. undefined for a server without the bot, and for non-members. Throws
   * `discord_unreachable`, and `rate_limited` for people without known rights.
   */
  enter(this: void, guildId: string, userId: string): Promise<CommandContext | undefined>;
  /** The same with roles that are at most a minute old. Use it only to show where somebody can act. */
  look(this: void, guildId: string, userId: string): Promise<CommandContext | undefined>;
  /** Whether somebody was seen in a server, without asking Discord. */
  wasSeen(this: void, guildId: string, userId: string): boolean;
  /** The names of people, roles and rooms that a text mentions, by id. Unknown ones are omitted. */
  namesIn(this: void, guildId: string, text: string): Promise<Record<string, string>>;
  nameOf(this: void, userId: string): Promise<string | undefined>;
}

/** Maximum names of people requested at once; other mentions stay ids. */
const maxAsked = 25;

/** Requests to Discord per minute: about one person without known rights, and about one non-member of a server. */
const most = { asked: 200, absent: 5 };
const minute = 60_000;

export function createMembers(client: Client<true>, context: DiscordContext): Members {
  const reader = createMemberReader(client, context.clock);
  const asked = new LRUCache<string, number[]>({ max: 10_000 });
  /** The number of requests within the last minute, including this one. */
  const countAsked = (userId: string): number => {
    const now = context.clock.monotonic();
    const lately = (asked.get(userId) ?? []).filter((at) => now - at < minute);
    asked.set(userId, [...lately, now].slice(-most.asked - 1));
    return lately.length + 1;
  };
  /** How often in a row a person was not a member, and when last. */
  const absent = new LRUCache<string, { times: number; at: number }>({ max: 10_000 });
  const enterBy = async (guildId: string, userId: string, withinMinute: boolean) => {
    const guild = client.guilds.cache.get(guildId);
    const member = guild && (await reader.read(guild, userId, withinMinute));
    return member && asMember(context, member);
  };
  return {
    applicationId: client.application.id,
    servers: () => client.guilds.cache.map(({ id, name }) => ({ id, name })),
    nameOf: (userId) => reader.nameOf(userId),
    look: (guildId, userId) => enterBy(guildId, userId, true),
    wasSeen: (guildId, userId) =>
      reader.wasSeen(guildId, userId) || client.guilds.cache.get(guildId)?.members.cache.has(userId) === true,
    async enter(guildId, userId) {
      const key = `${guildId} ${userId}`;
      const now = context.clock.monotonic();
      const before = absent.get(key);
      const isAbsent = before !== undefined && now - before.at < minute;
      if (isAbsent && before.times >= most.absent) return undefined;
      if (countAsked(userId) > most.asked) {
        const known = await enterBy(guildId, userId, true);
        if (!known || !(await context.hasKnownRights(known.actor)))
          throw new AppError("rate_limited", "Too many requests. Please wait a minute.");
      }
      // Never cached, because a member may have lost a role a moment ago.
      const entered = await enterBy(guildId, userId, false);
      if (entered) absent.delete(key);
      else absent.set(key, { times: isAbsent ? before.times + 1 : 1, at: now });
      return entered;
    },
    async namesIn(guildId, text) {
      const guild = client.guilds.cache.get(guildId);
      const idsOf = (pattern: RegExp) => new Set([...text.matchAll(pattern)].map(([, id = ""]) => id));
      const people = [...idsOf(/<@!?(\d{5,20})>/g)].slice(0, maxAsked);
      const named = await Promise.all(people.map(async (id) => [id, await reader.nameOf(id)] as const));
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
