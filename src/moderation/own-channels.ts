import type { Actor, BotContext } from "../bot-context.ts";
import { pages } from "../contract/pages.ts";
import { asAppError } from "../errors.ts";
import { findProvenFids } from "./proofs/staff-proofs.ts";
import { staffOf } from "./staff.ts";

/** Pages of verifications that are read to find a Discord account. */
const maxPages = 10;

/**
 * The fids that a Discord user is known to hold: proved to this server, or verified on the network. The live network cannot
 * be asked who holds an account, only what a fid holds, so there only proofs count.
 */
export async function findOwnFids(
  context: BotContext,
  { guildId, userId }: Pick<Actor, "guildId" | "userId">,
): Promise<number[]> {
  const proven = await findProvenFids(context, guildId, userId);
  if (context.live) return proven;
  const verified: number[] = [];
  let read = 0;
  for await (const { verifications } of pages(context.network.accountVerifications.list, {
    platform: "discord",
    limit: 1000,
  })) {
    verified.push(...verifications.filter(({ platformId }) => platformId === userId).map(({ fid }) => fid));
    if (verified.length > 0 || ++read === maxPages) break;
  }
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
