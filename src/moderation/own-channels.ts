import type { Actor, BotContext } from "../bot-context.ts";
import { asAppError } from "../errors.ts";
import { readProvenFids } from "./proofs/staff-proofs.ts";
import { listVerifiedFids, staffOf } from "./staff.ts";

/**
 * The fids that a Discord user is known to hold: proved to this server, or verified on the network. The live network cannot
 * be asked who holds an account, only what a fid holds, so there only proofs count.
 */
export async function findOwnFids(
  context: BotContext,
  { guildId, userId }: Pick<Actor, "guildId" | "userId">,
): Promise<number[]> {
  const proven = (await readProvenFids(context, guildId, userId)).values();
  const verified = context.live ? [] : (await listVerifiedFids(context.network, userId)).fids;
  return [...new Set([...proven, ...verified])];
}

/**
 * Channels that a Discord user could link, as far as that is known without asking much: those that the operator allows, and,
 * where the network is in this process, those that they verifiably own or moderate.
 */
export async function listOwnChannels(context: BotContext, actor: Actor): Promise<string[]> {
  const { network, settings, live, log } = context;
  const allowed = [...settings.channelGuilds()].flatMap(([channelId, guilds]) =>
    guilds.has(actor.guildId) ? [channelId] : [],
  );
  if (live) return allowed;
  try {
    const fids = await findOwnFids(context, actor);
    if (fids.length === 0) return allowed;
    const { channels } = await network.channels.all({});
    const own = channels.filter((channel) => staffOf(channel).some((fid) => fids.includes(fid)));
    return [...allowed, ...own.map(({ id }) => id)];
  } catch (error) {
    if (!asAppError(error)) throw error;
    log.warn({ err: error }, "the channels of a person cannot be read");
    return allowed;
  }
}
