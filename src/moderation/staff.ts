import type { Actor, BotContext } from "../bot-context.ts";
import type { Channel } from "../contract/channels.ts";
import type { CallOptions, UnreadableEvent } from "../contract/endpoint.ts";
import { AppError } from "../errors.ts";
import { findProvenFid } from "./proofs/staff-proofs.ts";

/** Owner and moderators, each once. */
export function staffOf(channel: Pick<Channel, "leadFid" | "moderatorFids">): number[] {
  const { leadFid, moderatorFids } = channel;
  return [...new Set(leadFid === undefined ? moderatorFids : [leadFid, ...moderatorFids])];
}

/**
 * The fid under which a Discord user owns or moderates the channel: they proved it here, for this server, or one of its staff
 * has proved to hold that Discord account. Throws when the verifications cannot be read, or not
 * one that may be theirs.
 */
export async function findStaffFid(
  context: BotContext,
  channel: Pick<Channel, "id" | "leadFid" | "moderatorFids">,
  { guildId, userId }: Pick<Actor, "guildId" | "userId">,
): Promise<number | undefined> {
  const { network, botFid } = context;
  const staff = staffOf(channel).filter((fid) => fid !== botFid);
  const proven = await findProvenFid(context, { guildId, channelId: channel.id, userId });
  if (proven !== undefined && staff.includes(proven)) return proven;
  let unreadable: UnreadableEvent | undefined;
  const options: CallOptions = { onUnreadable: (row) => (unreadable = row) };
  const holds = await Promise.all(
    staff.map(async (fid) => {
      const { result } = await network.accountVerifications.list({ fid, platform: "discord" }, options);
      return result.verifications.some((verification) => verification.platformId === userId);
    }),
  );
  const found = staff[holds.indexOf(true)];
  if (found !== undefined || !unreadable) return found;
  throw new AppError(
    "network_failed",
    `The network shows a verified account that Castellan cannot read (${unreadable.reason}).`,
  );
}

/** Whether the operator lets this server link the channel without further proof. */
export function isAllowedByOperator({ settings }: BotContext, guildId: string, channelId: string): boolean {
  return settings.channelGuilds().get(channelId)?.has(guildId) ?? false;
}

/** Linking takes Manage Server in the server, whatever one holds in the channel. Throws `not_allowed`. */
export function requireManager({ managesServer }: Actor, channelId: string): void {
  if (managesServer) return;
  throw new AppError(
    "not_allowed",
    `Linking a channel takes Discord's "Manage Server" permission here, as well as the proof that you own or moderate ${channelId}. Ask whoever manages this server for a role with it.`,
  );
}
