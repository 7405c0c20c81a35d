import { sql, type Selectable } from "kysely";
import type { Actor, BotContext } from "../bot-context.ts";
import type { BotTables } from "../database/tables/bot.ts";
import { AppError } from "../errors.ts";

/** A link, and what the actor's roles may do in its channel. */
export interface Linked extends Selectable<BotTables["castellan.links"]> {
  byRole: readonly string[];
}

/** One of them. Throws `not_linked`. */
export async function requireLinked(context: BotContext, actor: Actor, channelId: string): Promise<Linked> {
  const [linked] = await readLinked(context, actor, channelId);
  if (linked) return linked;
  throw notLinkedTo(channelId);
}

export function notLinkedTo(channelId: string): AppError {
  return new AppError(
    "not_linked",
    `This server is not linked to ${channelId}. Whoever owns or moderates the channel and has Manage Server here links it with /channel link.`,
  );
}

/** The channels that the actor's server is linked to, or the one that is named. */
export function readLinked({ database }: BotContext, actor: Actor, channelId?: string): Promise<Linked[]> {
  // Discord leaves @everyone, whose id is the server's, out of a member's roles.
  const roles = [...actor.roleIds, actor.guildId];
  return database.query
    .selectFrom("castellan.links as link")
    .selectAll("link")
    .select(
      sql<string[]>`array(
        select distinct capability from castellan.capabilities as given
        where given.guild_id = link.guild_id and given.channel_id = link.channel_id
          and role_id = any(${roles}::text[]) order by capability
      )`.as("byRole"),
    )
    .where("guild_id", "=", actor.guildId)
    .$if(channelId !== undefined, (query) => query.where("channel_id", "=", channelId ?? ""))
    .orderBy("channel_id")
    .execute();
}

export function notLinked(): AppError {
  return new AppError(
    "not_linked",
    "This server is linked to no channel yet. Whoever owns or moderates a channel and has Manage Server here links it with /channel link.",
  );
}
