// @ts-nocheck
import { sql } from "kysely";
import type { Asker } from "../bot-context.ts";
import type { Channel } from "../contract/channels.ts";
import { AppError } from "../errors.ts";
import { botModerates } from "./bot-role.ts";
import type { ModerationContext } from "./context.ts";
import { readChannel } from "./open-channel.ts";
import { findStaffFid, isAllowedByOperator } from "./proof.ts";

/**
 * Links a channel to the asker's server once rights over it are proved, or renews a suspended link. Throws
 * `not_proven`, `not_found`, or what the network answers.
 */
export async function linkChannel(
  context: ModerationContext,
  asker: Asker,
  channelId: string,
): Promise<{ channel: Channel; renewed: boolean }> {
  const channel = await readChannel(context, channelId);
  await proveRights(context, asker, channel);
  const now = context.clock.now();
  const proof = {
    channel_url: channel.url,
    channel_name: channel.name,
    linked_by: asker.userId,
    verified_at_ms: now,
    suspended_at_ms: null,
    suspended_reason: null,
    bot_role_lost_at_ms: botModerates(context.botFid, channel) ? null : now,
  };
  const { added } = await context.database.query
    .insertInto("castellan.links")
    .values({ guild_id: asker.guildId, channel_id: channel.id, linked_at_ms: now, ...proof })
    .onConflict((conflict) => conflict.columns(["guild_id", "channel_id"]).doUpdateSet(proof))
    .returning(sql<boolean>`xmax = 0`.as("added"))
    .executeTakeFirstOrThrow();
  return { channel, renewed: !added };
}

async function proveRights(context: ModerationContext, asker: Asker, channel: Channel): Promise<void> {
  if (isAllowedByOperator(context, asker.guildId, channel.id)) {
    if (asker.managesServer) return;
    throw new AppError(
      "not_allowed",
      `Linking ${channel.id} here needs Discord's "Manage Server" permission.`,
    );
  }
  if ((await findStaffFid(context, channel, asker.userId)) !== undefined) return;
  throw new AppError(
    "not_proven",
    `Nobody who owns or moderates ${channel.id} has verified your Discord account as theirs. Connect Discord to your Farcaster account, then try again. The operator of Castellan can also allow this server (CHANNEL_GUILDS).`,
  );
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

/** Ids of the channels that a server is linked to. */
export async function listLinkedChannels(
  { database }: ModerationContext,
  guildId: string,
): Promise<string[]> {
  const rows = await database.query
    .selectFrom("castellan.links")
    .select("channel_id")
    .where("guild_id", "=", guildId)
    .orderBy("channel_id")
    .execute();
  return rows.map((row) => row.channel_id);
}
