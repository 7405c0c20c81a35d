import { sql, type Selectable } from "kysely";
import type { Actor } from "../bot-context.ts";
import type { Channel } from "../contract/channels.ts";
import type { BotTables } from "../database/tables/bot.ts";
import { authorizeLink } from "./authorize.ts";
import { botModerates } from "./bot-role.ts";
import type { ModerationContext } from "./context.ts";
import { readChannel } from "./proof.ts";

/**
 * Links a channel to the actor's server, or renews a suspended link. Throws `not_allowed`, `not_proven`, `not_found`, or
 * what the network answers.
 */
export async function linkChannel(
  context: ModerationContext,
  actor: Actor,
  channelId: string,
): Promise<{ channel: Channel; renewed: boolean }> {
  const channel = await readChannel(context, channelId);
  await authorizeLink(context, actor, channel);
  const now = context.clock.now();
  const proof = {
    channel_url: channel.url,
    channel_name: channel.name,
    linked_by: actor.userId,
    verified_at_ms: now,
    suspended_at_ms: null,
    suspended_reason: null,
    bot_role_lost_at_ms: botModerates(context.botFid, channel) ? null : now,
  };
  const { added } = await context.database.query
    .insertInto("castellan.links")
    .values({ guild_id: actor.guildId, channel_id: channel.id, linked_at_ms: now, ...proof })
    .onConflict((conflict) => conflict.columns(["guild_id", "channel_id"]).doUpdateSet(proof))
    .returning(sql<boolean>`xmax = 0`.as("added"))
    .executeTakeFirstOrThrow();
  return { channel, renewed: !added };
}

/** Ends a link with the capabilities given for it. Cases stay; timed bans still end. */
export async function unlinkChannel(
  { database }: ModerationContext,
  guildId: string,
  channelId: string,
): Promise<void> {
  await database.transaction(async (tx) => {
    await tx
      .deleteFrom("castellan.links")
      .where("guild_id", "=", guildId)
      .where("channel_id", "=", channelId)
      .execute();
    await tx
      .deleteFrom("castellan.capabilities")
      .where("guild_id", "=", guildId)
      .where("channel_id", "=", channelId)
      .execute();
  });
}

export type Link = Selectable<BotTables["castellan.links"]>;

/** A server's links, suspended ones too, by channel. */
export function listLinks({ database }: ModerationContext, guildId: string): Promise<Link[]> {
  return database.query
    .selectFrom("castellan.links")
    .selectAll()
    .where("guild_id", "=", guildId)
    .orderBy("channel_id")
    .execute();
}

/** Ids of the channels that a server is linked to; with `suspended: false` only of those whose link works. */
export async function listLinkedChannels(
  { database }: ModerationContext,
  guildId: string,
  { suspended = true }: { suspended?: boolean } = {},
): Promise<string[]> {
  const rows = await database.query
    .selectFrom("castellan.links")
    .select("channel_id")
    .where("guild_id", "=", guildId)
    .$if(!suspended, (query) => query.where("suspended_at_ms", "is", null))
    .orderBy("channel_id")
    .execute();
  return rows.map((row) => row.channel_id);
}
