import type { Actor, BotContext } from "../bot-context.ts";
import type { Channel } from "../contract/channels.ts";
import type { CallOptions } from "../contract/endpoint.ts";
import { AppError, asAppError } from "../errors.ts";
import { capabilities, type Capability } from "./capabilities.ts";
import { findChannelLately, readChannel, type FoundCast } from "./find-target.ts";
import { serverAsker } from "./known-rights.ts";
import {
  botModerates,
  describeWayIn,
  noteBotRole,
  readLinked,
  requireLinked,
  type Linked,
} from "./channel-links.ts";
import { findStaffFid, isAllowedByOperator, requireManager } from "./staff.ts";

/*
 * Who may do what is decided here alone: every command, form, button and suggestion asks, at the moment of acting and
 * again after every click. What a role may do stands in our rows; the network is asked for the channel's staff only where
 * they give nothing. A channel that is gone or suspended gives no rights, and keeps nobody from anything elsewhere.
 */

/** A right in a channel, and what it rests on. */
export interface Right {
  /** The actor's verified fid where they own or moderate the channel; undefined where a role or the operator gives the right. */
  staffFid: number | undefined;
  /** The network's record, where it was read at this moment. */
  channel?: Channel;
}

const actions: Record<Capability, string> = {
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
 * Makes sure that the actor holds all of these capabilities in the channel. Throws `not_linked`, `not_proven` where the link
 * is suspended, `not_allowed`, `not_found`, or what the network answers.
 */
export async function authorize(
  context: BotContext,
  actor: Actor,
  channelId: string,
  ...needed: readonly [Capability, ...Capability[]]
): Promise<Right & { linked: Linked }> {
  const linked = await requireLinked(context, actor, channelId);
  const right = await checkRight(context, actor, linked, ...needed);
  if ("staffFid" in right) return { ...right, linked };
  throw right.refusal;
}

/** Something that may be done in a channel, through the bot. */
export interface AuthorizedAction {
  /** As the network shows it at this moment. */
  channel: Channel;
  /** Who does it, for the case. */
  by: { userId: string; fid: number | undefined };
}

/**
 * The same for what the bot does in the actor's name: it has to moderate the channel, too. Throws as `authorize` does, and
 * `not_allowed` where the bot does not. Writes only where our row of the bot's role is out of date; else `verify-links` does.
 */
export async function authorizeAction(
  context: BotContext,
  actor: Actor,
  channelId: string,
  ...needed: readonly [Capability, ...Capability[]]
): Promise<AuthorizedAction> {
  const { linked, staffFid, ...known } = await authorize(context, actor, channelId, ...needed);
  const channel = known.channel ?? (await readChannel(context, channelId));
  const moderates = botModerates(context.botFid, channel);
  if (moderates !== (linked.botRoleLostAtMs === null)) await noteBotRole(context, channel);
  if (moderates) return { channel, by: { userId: actor.userId, fid: staffFid } };
  throw new AppError(
    "not_allowed",
    `Castellan (fid ${context.botFid}) does not moderate ${channelId}, so nothing was done: ${describeWayIn(context.botFid, linked.wayIn, linked.wayRefusal)}`,
  );
}

/**
 * Makes sure that a cast is in the channel that the actor has rights in, for the network lets the bot act in every
 * channel that it moderates. Throws `not_allowed`.
 */
export async function requireCastIn(context: BotContext, cast: FoundCast, channelId: string): Promise<void> {
  if (cast.known) {
    if (cast.known.channelId === channelId) return;
    throw new AppError("not_allowed", `That cast is in ${cast.known.channelId}, not in ${channelId}.`);
  }
  const moderated = await listModerated(context);
  if (moderated?.every((id) => id === channelId)) return;
  throw new AppError(
    "not_allowed",
    `Castellan never saw that cast, so it cannot tell whether it is in ${channelId}. Use the network's own client for it.`,
  );
}

/**
 * Channels that the bot moderates, if that can be known: not while one is unreadable, and never on the live network, which lists
 * all of its channels in one answer of many megabytes, and where the bot may moderate some that it neither follows nor was linked to.
 */
async function listModerated({ network, botFid, live }: BotContext): Promise<string[] | undefined> {
  if (live) return undefined;
  let isWhole = true;
  const options: CallOptions = { onUnreadable: () => void (isWhole = false) };
  const { channels } = await network.channels.all({}, options);
  return isWhole
    ? channels.filter((channel) => botModerates(botFid, channel)).map(({ id }) => id)
    : undefined;
}

/** Linking takes a proof of rights over the channel, and Manage Server in the server it is linked to. Throws `not_allowed`, `not_proven`. */
export async function authorizeLink(context: BotContext, actor: Actor, channel: Channel): Promise<void> {
  requireManager(actor, channel.id);
  if (isAllowedByOperator(context, actor.guildId, channel.id)) return;
  if ((await findStaffFid(context, channel, actor)) !== undefined) return;
  throw new AppError(
    "not_proven",
    `Nobody who owns or moderates ${channel.id} has verified your Discord account as theirs. /channel link shows how you can prove it. The operator of Castellan can also allow this server (CHANNEL_GUILDS).`,
  );
}

/**
 * Ending a link takes Manage Server, or to have made it, or a role with "link": what stands in our rows, for the network may
 * be down or have forgotten the channel. Its staff may, too, where the network shows them. Throws `not_linked`, `not_allowed`.
 */
export async function authorizeUnlink(context: BotContext, actor: Actor, channelId: string): Promise<void> {
  const linked = await requireLinked(context, actor, channelId);
  if (mayUnlink(actor, linked)) return;
  let note = "";
  try {
    if ((await findStaff(context, actor, linked)) !== undefined) return;
  } catch (error) {
    if (!asAppError(error)) throw error;
    note = " The network cannot be asked who that is just now.";
  }
  throw new AppError(
    "not_allowed",
    `You may not end the link to /${channelId}. It takes Discord's "Manage Server" permission, or a role with "link"; <@${linked.linkedBy}>, who made the link, may too, and whoever verifiably owns or moderates the channel.${note}`,
  );
}

/**
 * Whose right to the settings rests on a role passes on, and takes away, only what their roles give them: else "link" would
 * be every capability. Throws as `authorize` does.
 */
export async function authorizeSettings(
  context: BotContext,
  actor: Actor,
  channelId: string,
  changed: readonly Capability[],
): Promise<void> {
  const linked = await requireLinked(context, actor, channelId);
  const right = await checkRight(context, actor, linked, "link");
  if ("refusal" in right) throw right.refusal;
  const { byRole } = linked;
  const beyond = changed.filter((capability) => !byRole.includes(capability));
  if (beyond.length === 0 || right.staffFid !== undefined) return;
  if ("staffFid" in (await checkRight(context, actor, { ...linked, byRole: [] }, "link"))) return;
  throw new AppError(
    "not_allowed",
    `Your roles give you ${byRole.join(", ")} in /${channelId}, and you may give and take only that. The rest is for whoever verifiably owns or moderates the channel.`,
  );
}

/**
 * What the actor may do in each channel that is linked and not suspended, for suggestions: what the network does not show
 * is left out, and nothing is refused.
 */
export async function listRights(context: BotContext, actor: Actor): Promise<Map<string, readonly string[]>> {
  const links = (await readLinked(context, actor)).filter(({ suspendedAtMs }) => suspendedAtMs === null);
  const rights = links.map(async (linked): Promise<[string, readonly string[]]> => {
    const right = await checkRight(context, actor, { ...linked, byRole: [] }, "view").catch(
      (error: unknown) => {
        context.log.warn(
          { err: error, channelId: linked.channelId },
          "rights for suggestions are unreadable",
        );
        return undefined;
      },
    );
    return [linked.channelId, right && "staffFid" in right ? capabilities : linked.byRole];
  });
  return new Map(await Promise.all(rights));
}

/** The linked channels whose link the actor may end, as far as our rows tell. */
export async function listUnlinkable(context: BotContext, actor: Actor): Promise<string[]> {
  const links = await readLinked(context, actor);
  return links.filter((linked) => mayUnlink(actor, linked)).map(({ channelId }) => channelId);
}

/** Why somebody may not. */
export interface Refused {
  refusal: AppError;
  /** Gone or suspended. */
  idle: boolean;
}

/** Whether the actor holds all of these capabilities. Throws what the network answers where it cannot be read who the channel's staff is. */
export async function checkRight(
  context: BotContext,
  actor: Actor,
  linked: Linked,
  ...needed: readonly [Capability, ...Capability[]]
): Promise<Right | Refused> {
  const { channelId, suspendedAtMs, suspendedReason, byRole } = linked;
  if (suspendedAtMs !== null) {
    const message = `The link to ${channelId} is suspended: ${suspendedReason} An owner or moderator renews it with /channel link.`;
    return { refusal: new AppError("not_proven", message), idle: true };
  }
  const [missing] = needed.filter((capability) => !byRole.includes(capability));
  if (missing === undefined) return { staffFid: undefined };
  if (actor.managesServer && isAllowedByOperator(context, actor.guildId, channelId)) {
    return { staffFid: undefined };
  }
  // Of a channel that is linked: whoever asks, it is asked once a minute.
  const by = serverAsker(actor.guildId);
  const channel = await findChannelLately(context, channelId, by);
  if (!channel) {
    const message = `The network does not know ${channelId} any more. /channel unlink ends its link.`;
    return { refusal: new AppError("not_found", message), idle: true };
  }
  const staffFid = await findStaffFid(context, channel, actor, by);
  if (staffFid !== undefined) return { staffFid, ...(!context.live && { channel }) };
  return { refusal: notAllowed(channelId, missing), idle: false };
}

/** The fid under which the actor owns or moderates the channel, also where its link is suspended. */
export async function findStaff(
  context: BotContext,
  actor: Actor,
  { channelId }: Linked,
): Promise<number | undefined> {
  const by = serverAsker(actor.guildId);
  const channel = await findChannelLately(context, channelId, by);
  return channel && findStaffFid(context, channel, actor, by);
}

export function mayUnlink({ managesServer, userId }: Actor, { linkedBy, byRole }: Linked): boolean {
  return managesServer || linkedBy === userId || byRole.includes("link");
}

export function notAllowed(channelId: string, capability: Capability): AppError {
  return new AppError(
    "not_allowed",
    `You may not ${actions[capability]} /${channelId}. ${wayToRight(capability, "the channel")}`,
  );
}

/** Where the right in one of several channels would be enough. */
export function notAllowedAnywhere(channelIds: readonly string[], capability: Capability): AppError {
  const shown = channelIds.slice(0, 10).map((id) => `/${id}`);
  const rest = channelIds.length > shown.length ? ` and ${channelIds.length - shown.length} more` : "";
  return new AppError(
    "not_allowed",
    `You may not ${actions[capability]} any channel of this server (${shown.join(", ")}${rest}); one of them would be enough. ${wayToRight(capability, "that channel")}`,
  );
}

function wayToRight(capability: Capability, channel: string): string {
  return `A role of yours needs "${capability}" (whoever owns or moderates ${channel} gives it with /channel settings), or you own or moderate ${channel} by a verified Discord account, or proved it with /channel link.`;
}
