import { sql, type Selectable } from "kysely";
import type { Actor, BotContext } from "../bot-context.ts";
import { camelCased, type CamelCased } from "../database/camel-case.ts";
import type { Tx } from "../database/database.ts";
import type { BotTables } from "../database/tables/bot.ts";
import { AppError } from "../errors.ts";

/** What somebody may do in a channel through Castellan. */
export const capabilities = [
  "view",
  "invite",
  "hide",
  "pin",
  "ban",
  "undo",
  "rules",
  "feeds",
  "link",
] as const;
export type Capability = (typeof capabilities)[number];

/** Which roles of a server may do what in a channel. */
export async function listCapabilities(
  { database }: BotContext,
  guildId: string,
  channelId: string,
): Promise<{ roleId: string; capability: string }[]> {
  const rows = await database.query
    .selectFrom("castellan.capabilities")
    .select(["role_id", "capability"])
    .where("guild_id", "=", guildId)
    .where("channel_id", "=", channelId)
    .orderBy("role_id")
    .execute();
  return rows.map(({ role_id, capability }) => ({ roleId: role_id, capability }));
}

export interface Grant {
  guildId: string;
  channelId: string;
  roleId: string;
  capabilities: readonly Capability[];
}

export async function giveCapabilities(tx: Tx, grant: Grant): Promise<void> {
  await tx
    .insertInto("castellan.capabilities")
    .values(grant.capabilities.map((capability) => ({ ...keyOf(grant), capability })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function takeCapabilities(tx: Tx, grant: Grant): Promise<void> {
  const { guild_id, channel_id, role_id } = keyOf(grant);
  await tx
    .deleteFrom("castellan.capabilities")
    .where("guild_id", "=", guild_id)
    .where("channel_id", "=", channel_id)
    .where("role_id", "=", role_id)
    .where("capability", "in", grant.capabilities)
    .execute();
}

function keyOf({ guildId, channelId, roleId }: Grant) {
  return { guild_id: guildId, channel_id: channelId, role_id: roleId };
}

/** A server's link to a channel. */
export type Link = CamelCased<Selectable<BotTables["castellan.links"]>>;

/** A link, and what the actor's roles may do in its channel. */
export interface Linked extends Link {
  byRole: readonly string[];
}

/** The channels that the actor's server is linked to, or the one that is named, with what the actor's roles may do there. */
export async function readLinked(
  { database }: BotContext,
  actor: Actor,
  channelId?: string,
): Promise<Linked[]> {
  // Discord leaves @everyone, whose id is the server's, out of a member's roles.
  const roles = [...actor.roleIds, actor.guildId];
  const rows = await database.query
    .selectFrom("castellan.links as link")
    .selectAll("link")
    .select(
      sql<string[]>`array(
        select distinct capability from castellan.capabilities as given
        where given.guild_id = link.guild_id and given.channel_id = link.channel_id
          and role_id = any(${roles}::text[]) order by capability
      )`.as("by_role"),
    )
    .where("guild_id", "=", actor.guildId)
    .$if(channelId !== undefined, (query) => query.where("channel_id", "=", channelId ?? ""))
    .orderBy("channel_id")
    .execute();
  return rows.map(camelCased);
}

/** The same of one channel. Throws `not_linked`. */
export async function requireLinked(context: BotContext, actor: Actor, channelId: string): Promise<Linked> {
  const [linked] = await readLinked(context, actor, channelId);
  if (linked) return linked;
  throw notLinkedTo(channelId);
}

export function notLinkedTo(channelId: string): AppError {
  return new AppError(
    "not_linked",
    `This server is not linked to ${channelId}. Someone who owns or moderates the channel and has Manage Server here can link it with /channel link.`,
  );
}

export function notLinked(): AppError {
  return new AppError(
    "not_linked",
    "This server is not linked to any channel yet. Someone who owns or moderates a channel and has Manage Server here can link it with /channel link.",
  );
}
