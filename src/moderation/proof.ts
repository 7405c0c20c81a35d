import type { BotContext } from "../bot-context.ts";
import type { Channel } from "../contract/channels.ts";
import { AppError, asAppError } from "../errors.ts";

/** The network's record of a channel; undefined where it knows none of that id. */
export async function findChannel({ network }: BotContext, channelId: string): Promise<Channel | undefined> {
  try {
    return (await network.channels.get({ channelId })).channel;
  } catch (error) {
    if (asAppError(error, "not_found", "invalid_request")) return undefined;
    throw error;
  }
}

/** The same, where it has to be there. Throws `not_found` in words that say what to check. */
export async function readChannel(context: BotContext, channelId: string): Promise<Channel> {
  const channel = await findChannel(context, channelId);
  if (channel) return channel;
  throw new AppError("not_found", `There is no channel called ${channelId}.`);
}

/** Owner and moderators, each once. */
export function staffOf(channel: Pick<Channel, "leadFid" | "moderatorFids">): number[] {
  const { leadFid, moderatorFids } = channel;
  return [...new Set(leadFid === undefined ? moderatorFids : [leadFid, ...moderatorFids])];
}

/**
 * The fid under which a Discord user owns or moderates the channel: one of its staff has proved to hold that Discord
 * account. Throws when the verifications cannot be read.
 */
export async function findStaffFid(
  { network, botFid }: BotContext,
  channel: Pick<Channel, "leadFid" | "moderatorFids">,
  userId: string,
): Promise<number | undefined> {
  const staff = staffOf(channel).filter((fid) => fid !== botFid);
  const holds = await Promise.all(
    staff.map(async (fid) => {
      const { result } = await network.accountVerifications.list({ fid, platform: "discord" });
      return result.verifications.some((verification) => verification.platformId === userId);
    }),
  );
  return staff[holds.indexOf(true)];
}

/** Whether the operator lets this server link the channel without further proof. */
export function isAllowedByOperator({ settings }: BotContext, guildId: string, channelId: string): boolean {
  return settings.channelGuilds.get(channelId)?.has(guildId) ?? false;
}
