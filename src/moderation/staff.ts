import type { Actor, BotContext } from "../bot-context.ts";
import type { Channel } from "../contract/channels.ts";
import type { Asker, CallOptions, UnreadableEvent } from "../contract/endpoint.ts";
import { AppError } from "../errors.ts";
import { recall } from "./known-rights.ts";
import { findProvenFid } from "./proofs/staff-proofs.ts";

/** Owner and moderators, each once. */
export function staffOf(channel: Pick<Channel, "leadFid" | "moderatorFids">): number[] {
  const { leadFid, moderatorFids } = channel;
  return [...new Set(leadFid === undefined ? moderatorFids : [leadFid, ...moderatorFids])];
}

/**
 * The fid under which a Discord user owns or moderates the channel: they proved it here, for this server, or one of its staff
 * has proved to hold that Discord account, as the live network said within the last minute. `by` is on whose behalf it is asked
 * where that is not the actor. Throws when the verifications cannot be read, or not
 * one that may be theirs.
 */
export async function findStaffFid(
  context: BotContext,
  channel: Pick<Channel, "id" | "leadFid" | "moderatorFids">,
  { guildId, userId }: Pick<Actor, "guildId" | "userId">,
  by?: Asker,
): Promise<number | undefined> {
  const { network, botFid } = context;
  const staff = staffOf(channel).filter((fid) => fid !== botFid);
  const proven = await findProvenFid(context, { guildId, channelId: channel.id, userId });
  if (proven !== undefined && staff.includes(proven)) return proven;
  const read = (fid: number) =>
    recall(context, `holders ${fid}`, async () => {
      let unreadable: UnreadableEvent | undefined;
      const options: CallOptions = { onUnreadable: (row) => (unreadable = row), ...(by && { by }) };
      const { result } = await network.accountVerifications.list({ fid, platform: "discord" }, options);
      return { holders: result.verifications.map(({ platformId }) => platformId), unreadable };
    });
  const verified = await Promise.all(staff.map(read));
  const found = staff[verified.findIndex(({ holders }) => holders.includes(userId))];
  if (found !== undefined) context.live?.budget.askers.noteStaff(guildId, userId);
  const unreadable = verified.find((one) => one.unreadable)?.unreadable;
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
