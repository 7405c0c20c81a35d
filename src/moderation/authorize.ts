import type { Actor, BotContext } from "../bot-context.ts";
import type { Channel } from "../contract/channels.ts";
import type { CallOptions } from "../contract/endpoint.ts";
import { AppError } from "../errors.ts";
import { capabilities, type Capability } from "./capabilities.ts";
import { readChannel, type FoundCast } from "./find-target.ts";
import {
  botModerates,
  describeWayIn,
  noteBotRole,
  notLinked,
  readLinked,
  requireLinked,
  type Linked,
} from "./channel-links.ts";
import {
  findStaffFid,
  findStaffRights,
  isAllowedByOperator,
  requireManager,
  type StaffRight,
} from "./staff.ts";

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
  return requireRight(context, actor, await requireLinked(context, actor, channelId), ...needed);
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
  const right = (await findStaffRights(context, actor, [channelId])).get(channelId);
  const isUnreadable = right instanceof AppError;
  if (!isUnreadable && right?.staffFid !== undefined) return;
  const note = isUnreadable ? " The network cannot be asked who that is just now." : "";
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
  const right = await requireRight(context, actor, linked, "link");
  const { byRole } = linked;
  const beyond = changed.filter((capability) => !byRole.includes(capability));
  if (beyond.length === 0 || right.staffFid !== undefined) return;
  const [withoutRoles] = await checkRights(context, actor, [{ ...linked, byRole: [] }], needsAll("link"));
  if (withoutRoles && "staffFid" in withoutRoles) return;
  if (withoutRoles?.because === "unreadable") throw withoutRoles.refusal;
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
  const withoutRoles = links.map((linked) => ({ ...linked, byRole: [] }));
  const rights = await checkRights(context, actor, withoutRoles, needsAll("view"));
  return new Map(
    rights.map((right, index) => {
      const { channelId } = right.linked;
      if ("staffFid" in right) return [channelId, capabilities];
      if (right.because === "unreadable") {
        context.log.warn({ err: right.refusal, channelId }, "rights for suggestions are unreadable");
      }
      return [channelId, links[index]?.byRole ?? []];
    }),
  );
}

/** The linked channels whose link the actor may end, as far as our rows tell. */
export async function listUnlinkable(context: BotContext, actor: Actor): Promise<string[]> {
  const links = await readLinked(context, actor);
  return links.filter((linked) => mayUnlink(actor, linked)).map(({ channelId }) => channelId);
}

/** Why somebody may not. */
export interface Refused {
  refusal: AppError;
  /** The channel is gone or its link suspended, the network does not show who its staff is, or they lack it. */
  because: "idle" | "unreadable" | "missing";
}

export type Verdict = (Right | Refused) & { linked: Linked };

/** Says which capability somebody lacks by their roles; undefined where these are enough. */
type FindMissing = (linked: Linked) => Capability | undefined;

export function needsAll(...needed: readonly Capability[]): FindMissing {
  return ({ byRole }) => needed.find((capability) => !byRole.includes(capability));
}

export function needsOneOf(...needed: readonly [Capability, ...Capability[]]): FindMissing {
  return ({ byRole }) => (needed.some((capability) => byRole.includes(capability)) ? undefined : needed[0]);
}

async function requireRight(
  context: BotContext,
  actor: Actor,
  linked: Linked,
  ...needed: readonly Capability[]
): Promise<Right & { linked: Linked }> {
  const [right] = await checkRights(context, actor, [linked], needsAll(...needed));
  if (right && "staffFid" in right) return right;
  throw right?.refusal ?? notLinked();
}

/**
 * Whether the actor holds what is needed in each of these channels. Only what our rows leave open is asked of the network, and a
 * channel that it cannot show keeps nobody from the others.
 */
export async function checkRights(
  context: BotContext,
  actor: Actor,
  links: readonly Linked[],
  findMissing: FindMissing,
): Promise<Verdict[]> {
  const known = links.map((linked) => ({
    linked,
    ...judgeByRows(context, actor, linked, findMissing(linked)),
  }));
  const open = known.flatMap((one) => ("missing" in one ? [one.linked.channelId] : []));
  const shown = await findStaffRights(context, actor, open);
  return known.map((one) => {
    if (!("missing" in one)) return one;
    const { linked, missing } = one;
    return { linked, ...judgeByStaff(context, linked.channelId, missing, shown.get(linked.channelId)) };
  });
}

function judgeByRows(
  context: BotContext,
  { managesServer, guildId }: Actor,
  { channelId, suspendedAtMs, suspendedReason }: Linked,
  missing: Capability | undefined,
): Right | Refused | { missing: Capability } {
  if (suspendedAtMs !== null) {
    const message = `The link to ${channelId} is suspended: ${suspendedReason} An owner or moderator renews it with /channel link.`;
    return { refusal: new AppError("not_proven", message), because: "idle" };
  }
  if (missing === undefined || (managesServer && isAllowedByOperator(context, guildId, channelId))) {
    return { staffFid: undefined };
  }
  return { missing };
}

function judgeByStaff(
  { live }: BotContext,
  channelId: string,
  missing: Capability,
  shown: StaffRight | AppError | undefined,
): Right | Refused {
  if (shown instanceof AppError) return { refusal: shown, because: "unreadable" };
  if (!shown?.channel) {
    const message = `The network does not know ${channelId} any more. /channel unlink ends its link.`;
    return { refusal: new AppError("not_found", message), because: "idle" };
  }
  const { channel, staffFid } = shown;
  if (staffFid !== undefined) return { staffFid, ...(!live && { channel }) };
  return { refusal: notAllowed(channelId, missing), because: "missing" };
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
