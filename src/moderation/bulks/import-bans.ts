import type { BotContext } from "../../bot-context.ts";
import type { Channel } from "../../contract/channels.ts";
import { AppError } from "../../errors.ts";
import { operator } from "../../text/show-doer.ts";
import { findStandingBans } from "../cases/standing-bans.ts";
import { botModerates, describeOnboarding, listLinks } from "../channel-links.ts";
import { readChannel } from "../find-target.ts";
import { parseBanList, type ListedBan } from "./ban-list.ts";
import { beginBulk } from "./begin.ts";
import { findAlreadyBanned, whyNotBanned } from "./find-users.ts";

interface ListForChannel {
  guildId: string;
  channelId: string;
  source: string;
  /** If false, nobody is banned. */
  apply: boolean;
}

/** What a list of bans does in a channel. */
export interface ImportedBans {
  bans: ListedBan[];
  /** Fids that are left out because they are banned already, whatever the list says of them. */
  alreadyBanned: number[];
  /** Left out because their ban would be over. */
  over: number[];
  /** Left out because they cannot be banned, and why. */
  refused: { fid: number; why: string }[];
  /** The number of the bulk that has begun. */
  bulk?: number;
}

/**
 * Compares a list of bans with a channel, and can begin one bulk of the operator with the bans that are new. Throws
 * `invalid_file`, and `not_linked`, `not_proven` or `not_allowed` if Castellan cannot act in the channel.
 */
export async function importBans(
  context: BotContext,
  { guildId, channelId, source, apply }: ListForChannel,
): Promise<ImportedBans> {
  const { database, clock, botFid } = context;
  const listed = parseBanList(source);
  const channel = await requireActable(context, guildId, channelId);
  const fids = listed.map(({ fid }) => fid);
  const known = await findAlreadyBanned(database.query, channelId, fids);
  const standing = await findStandingBans(database.query, channelId, fids);
  const refused = fids.flatMap((fid) => {
    const why = whyNotBanned(channel, botFid, fid);
    return why === undefined ? [] : [{ fid, why }];
  });
  const others = listed.filter(({ fid }) => !refused.some((one) => one.fid === fid));
  const alreadyBanned = others.filter(({ fid }) => known.has(fid) || standing.has(fid));
  const over = others.filter(
    (ban) => !alreadyBanned.includes(ban) && (ban.untilMs ?? Infinity) <= clock.now(),
  );
  const bans = others.filter((ban) => !alreadyBanned.includes(ban) && !over.includes(ban));
  const compared = {
    bans,
    alreadyBanned: alreadyBanned.map(({ fid }) => fid),
    over: over.map(({ fid }) => fid),
    refused,
  };
  if (!apply || bans.length === 0) return compared;
  const request = {
    guildId,
    channelId,
    kind: "ban" as const,
    selection: "users from a list of bans",
    by: { userId: operator },
  };
  const actions = bans.map(({ fid: targetFid, reason: publicReason, untilMs }) => ({
    kind: "ban" as const,
    targetFid,
    publicReason,
    untilMs,
  }));
  const bulk = await database.transaction((tx) => beginBulk(context, tx, request, actions));
  await context.wake("run-bulks", String(bulk.id));
  return { ...compared, bulk: bulk.number };
}

/** The channel, if it is linked and Castellan moderates it. */
async function requireActable(context: BotContext, guildId: string, channelId: string): Promise<Channel> {
  const links = await listLinks(context, guildId);
  const link = links.find((one) => one.channelId === channelId);
  if (!link) throw new AppError("not_linked", `${channelId} is not linked to the server ${guildId}.`);
  if (link.suspendedAtMs !== null) {
    const reason = link.suspendedReason ?? "its proof of rights is gone";
    throw new AppError("not_proven", `The link to ${channelId} is suspended: ${reason}`);
  }
  const channel = await readChannel(context, channelId);
  if (botModerates(context.botFid, channel)) return channel;
  const steps = describeOnboarding(context.botFid, link.onboardingStage, link.onboardingError);
  throw new AppError("not_allowed", `Castellan does not moderate ${channelId}: ${steps}`);
}
