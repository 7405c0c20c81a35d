import type { Asker } from "../bot-context.ts";
import type { Channel } from "../contract/channels.ts";
import { AppError, asAppError } from "../errors.ts";
import { noteBotRole } from "./bot-role.ts";
import type { Capability } from "./capabilities.ts";
import type { ModerationContext } from "./context.ts";
import { findStaffFid, isAllowedByOperator } from "./proof.ts";

/** A channel that the asker may act on, as the network shows it at this moment. */
export interface OpenChannel {
  channel: Channel;
  /** The asker's verified fid, when that is what gives the right. */
  askerFid: number | undefined;
}

/** Capabilities for which the bot itself must moderate the channel. */
const needsBot: ReadonlySet<Capability> = new Set(["invite", "hide", "pin", "ban", "undo"]);

const deeds: Record<Capability, string> = {
  view: "look at the lists and cases of",
  invite: "invite people to",
  hide: "hide casts of",
  pin: "pin casts of",
  ban: "ban people from",
  undo: "undo what others did in",
  rules: "look at or change the rules of",
  feeds: "change the feeds of",
  link: "change the link and settings of",
};

/**
 * The one place that decides who may do what: called at the moment of acting, and again after every click. Throws
 * `not_linked`, `not_allowed`, `not_proven` or what the network answers.
 */
export async function openChannel(
  context: ModerationContext,
  asker: Asker,
  channelId: string,
  capability: Capability,
): Promise<OpenChannel> {
  const link = await context.database.query
    .selectFrom("castellan.links")
    .selectAll()
    .select((query) =>
      query
        .exists(
          query
            .selectFrom("castellan.capabilities")
            .select("role_id")
            .where("guild_id", "=", asker.guildId)
            .where("channel_id", "=", channelId)
            .where("capability", "=", capability)
            .where("role_id", "in", [...asker.roleIds, asker.guildId]),
        )
        .as("by_role"),
    )
    .where("guild_id", "=", asker.guildId)
    .where("channel_id", "=", channelId)
    .executeTakeFirst();
  if (!link) {
    throw new AppError(
      "not_linked",
      `This server is not linked to ${channelId}. An owner or moderator of the channel links it with /channel link.`,
    );
  }
  if (link.suspended_at_ms !== null && capability !== "link") {
    throw new AppError(
      "not_proven",
      `The link to ${channelId} is suspended: ${link.suspended_reason} An owner or moderator renews it with /channel link.`,
    );
  }
  const channel = await readChannel(context, channelId);
  const askerFid = link.by_role ? undefined : await requireRight(context, asker, channel, capability);
  if (needsBot.has(capability) && !(await noteBotRole(context, channel))) {
    throw new AppError(
      "not_allowed",
      `Castellan (fid ${context.botFid}) does not moderate ${channelId}, so nothing was done. Its owner has to invite it as moderator.`,
    );
  }
  return { channel, askerFid };
}

/** The network's record of a channel. Throws `not_found` in words that say what to check. */
export async function readChannel(context: ModerationContext, channelId: string): Promise<Channel> {
  try {
    return (await context.network.channels.get({ channelId })).channel;
  } catch (error) {
    if (!asAppError(error, "not_found", "invalid_request")) throw error;
    throw new AppError("not_found", `There is no channel called ${channelId}.`, { cause: error });
  }
}

/** Whose right does not come from a role: the channel's verified staff, or who manages a server that the operator allows. */
async function requireRight(
  context: ModerationContext,
  asker: Asker,
  channel: Channel,
  capability: Capability,
): Promise<number | undefined> {
  if (asker.managesServer && isAllowedByOperator(context, asker.guildId, channel.id)) return undefined;
  const fid = await findStaffFid(context, channel, asker.userId);
  if (fid !== undefined) return fid;
  throw new AppError(
    "not_allowed",
    `You may not ${deeds[capability]} /${channel.id}. A role of yours needs "${capability}" (/channel settings), or your verified Discord account must own or moderate the channel.`,
  );
}
