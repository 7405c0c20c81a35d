import type { Actor, BotContext } from "../bot-context.ts";
import { AppError } from "../errors.ts";
import { recall } from "./known-rights.ts";
import { findOwnFids } from "./own-channels.ts";
import { readProvenFids } from "./proofs/staff-proofs.ts";

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
