import {
  DiscordAPIError,
  GuildMember,
  REST,
  Routes,
  RESTJSONErrorCodes,
  type APIGuildMember,
  type APIUser,
  type Client,
  type Guild,
} from "discord.js";
import { LRUCache } from "lru-cache";
import type { Clock } from "../clock.ts";
import { AppError } from "../errors.ts";

/** The console's requests to Discord about people, on a separate client so that no command waits behind them. */
export interface MemberReader {
  /** A member as of now, or with `withinMinute` of the last minute; undefined for none. Throws `discord_unreachable`. */
  read(guild: Guild, userId: string, withinMinute?: boolean): Promise<GuildMember | undefined>;
  /** The members of this server that were read recently. */
  wasSeen(guildId: string, userId: string): boolean;
  nameOf(userId: string): Promise<string | undefined>;
}

/** Requests per second, of the 50 that Discord allows a bot, and requests at once. */
const aSecond = 10;
const atOnce = 4;
const minute = 60_000;
const capacity = 10_000;

export function createMemberReader(client: Client<true>, clock: Clock): MemberReader {
  const rest = new REST({ ...client.options.rest, globalRequestsPerSecond: aSecond }).setToken(client.token);
  const turns = Array.from({ length: atOnce }, () => Promise.resolve<unknown>(undefined));
  /** A few at a time, in the order of the requests. */
  const enter = <T>(work: () => Promise<T>): Promise<T> => {
    const before = turns.shift() ?? Promise.resolve();
    const own = before.then(work);
    // A failed request does not delay the others.
    turns.push(own.catch(() => {}));
    return own;
  };
  const answers = new LRUCache<string, { at: number; member: GuildMember | undefined }>({ max: capacity });
  const underWay = new Map<string, Promise<GuildMember | undefined>>();
  const names = new LRUCache<string, string>({ max: capacity });

  const ask = async (guild: Guild, userId: string): Promise<GuildMember | undefined> => {
    try {
      const given = await enter(() => rest.get(Routes.guildMember(guild.id, userId)));
      // As documented by Discord; discord.js creates its own members in the same way.
      const made: unknown = Reflect.construct(GuildMember, [client, given as APIGuildMember, guild]);
      return made as GuildMember;
    } catch (cause) {
      if (cause instanceof DiscordAPIError && strangers.includes(cause.code)) return undefined;
      const message = "Your roles cannot be read from Discord right now. Try again.";
      throw new AppError("discord_unreachable", message, { cause });
    }
  };

  return {
    async read(guild, userId, withinMinute = false) {
      const key = `${guild.id} ${userId}`;
      const known = answers.get(key);
      if (withinMinute && known && clock.monotonic() - known.at < minute) return known.member;
      // Requests during a call share the next one.
      const before = underWay.get(key);
      if (before && withinMinute) return before;
      const asking = ask(guild, userId).then((member) => {
        answers.set(key, { at: clock.monotonic(), member });
        return member;
      });
      underWay.set(key, asking);
      try {
        return await asking;
      } finally {
        if (underWay.get(key) === asking) underWay.delete(key);
      }
    },
    wasSeen: (guildId, userId) => answers.peek(`${guildId} ${userId}`)?.member !== undefined,
    async nameOf(userId) {
      const seen = client.users.cache.get(userId)?.displayName ?? names.get(userId);
      if (seen !== undefined) return seen;
      const user = await enter(() => rest.get(Routes.user(userId))).catch(() => undefined);
      if (user === undefined) return undefined;
      const { global_name, username } = user as APIUser; // As documented by Discord.
      names.set(userId, global_name ?? username);
      return global_name ?? username;
    },
  };
}

const strangers: readonly (string | number)[] = [
  RESTJSONErrorCodes.UnknownMember,
  RESTJSONErrorCodes.UnknownUser,
  RESTJSONErrorCodes.UnknownGuild,
];
