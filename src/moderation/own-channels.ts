import type { Actor, BotContext } from "../bot-context.ts";
import { asAppError, AppError } from "../errors.ts";
import { readProvenFids } from "./proofs/staff-proofs.ts";
import { listVerifiedFids, staffOf } from "./staff.ts";
import { recall } from "./known-rights.ts";

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

/**
 * The fids for which a Discord user speaks: all that are known to be theirs, or the one that they name, where it has verified
 * their Discord account. The live network answers only the second. Throws `not_proven`.
 */
export async function findAppellant(
  context: BotContext,
  actor: Actor,
  named: number | undefined,
): Promise<number[]> {
  if (named === undefined) return findOwnFids(context, actor);
  const proven = await readProvenFids(context, actor.guildId, actor.userId);
  if ([...proven.values()].includes(named)) return [named];
  const { result } = await recall(context, `verifications ${named}`, () =>
    context.network.accountVerifications.list({ fid: named, platform: "discord" }),
  );
  if (result.verifications.some(({ platformId }) => platformId === actor.userId)) return [named];
  const again = context.live ? "try again after a minute" : "try again";
  throw new AppError(
    "not_proven",
    `fid ${named} has not verified your Discord account as its own, so you cannot speak for it. Connect Discord to that account in your Farcaster app, and ${again}.`,
  );
}
