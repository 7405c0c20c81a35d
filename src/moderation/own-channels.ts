import type { Actor, BotContext } from "../bot-context.ts";
import { asAppError } from "../errors.ts";
import { TranslatedError } from "../languages/translated-error.ts";
import { readProvenFids } from "./proofs/staff-proofs.ts";
import { listVerifiedFids, staffOf } from "./staff.ts";
import { recall } from "./known-rights.ts";

/**
 * The fids that are known to belong to a Discord user: proved to this server, or verified on the network. The live network
 * can only look up by fid, not by Discord account, so there only proofs count.
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
 * Channels that a Discord user could link, as far as is known without many calls: those allowed by the operator and, with
 * a network in this process, those that they verifiably own or moderate.
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
    log.warn({ err: error }, "could not read a person's channels");
    return allowed;
  }
}

/**
 * The fids for which a Discord user can speak: all that are known to be theirs, or the given one if it has verified their
 * Discord account. The live network supports only the second. Throws `not_proven`.
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
  throw new TranslatedError("not_proven", ({ appeals }) =>
    context.live ? appeals.notVerifiedLive(named) : appeals.notVerified(named),
  );
}
