import type { Channel } from "../contract/channels.ts";
import { newEvent, type LinkChange } from "../observe/event.ts";
import type { Tx } from "../database/database.ts";
import type { ModerationContext } from "./context.ts";

export function botModerates(botFid: number, channel: Pick<Channel, "leadFid" | "moderatorFids">): boolean {
  return channel.leadFid === botFid || channel.moderatorFids.includes(botFid);
}

/**
 * Notes on every link of the channel whether the bot moderates it. A change is an event, so that the rooms hear of it;
 * while the role is lost, rules pause (`bot_role_lost_at_ms`).
 */
export async function noteBotRole(context: ModerationContext, channel: Channel): Promise<boolean> {
  const moderates = botModerates(context.botFid, channel);
  const now = context.clock.now();
  await context.database.transaction(async (tx) => {
    const changed = await tx
      .updateTable("castellan.links")
      .set({ bot_role_lost_at_ms: moderates ? null : now })
      .where("channel_id", "=", channel.id)
      .where("bot_role_lost_at_ms", moderates ? "is not" : "is", null)
      .returning("guild_id")
      .execute();
    const change = moderates ? "bot_role_back" : "bot_role_lost";
    for (const { guild_id } of changed) {
      await announceLink(context, tx, { guildId: guild_id, channelId: channel.id, change, reason: "" });
    }
  });
  return moderates;
}

/** Tells the server's rooms what became of its link. Last in its transaction, as every event. */
export async function announceLink(
  context: ModerationContext,
  tx: Tx,
  { guildId, channelId, change, reason }: LinkNews,
): Promise<void> {
  const now = context.clock.now();
  await context.appendEvents(tx, [
    newEvent(now, {
      sourceKey: `link ${guildId} ${channelId} ${change} ${now}`,
      kind: "link.changed",
      channelId,
      data: { guildId, change, reason },
    }),
  ]);
}

interface LinkNews {
  guildId: string;
  channelId: string;
  change: LinkChange;
  reason: string;
}
