import type { Actor, BotContext, Doer } from "../bot-context.ts";
import type { Channel } from "../contract/channels.ts";
import type { CallOptions } from "../contract/endpoint.ts";
import { AppError } from "../errors.ts";
import { groupBy } from "../group-by.ts";
import { capabilities, type Capability } from "./capabilities.ts";
import { findChannel, noSuchChannel, type FoundCast } from "./find-target.ts";
import {
  botModerates,
  describeOnboarding,
  explainUnlinked,
  noteBotRole,
  notLinked,
  readLinked,
  requireLinked,
  type Linked,
} from "./channel-links.ts";
import { checkRights, needsAll, type Right } from "./check-rights.ts";
import { findStaffFid, findStaffRights, isAllowedByOperator, readChannels, requireManager } from "./staff.ts";

/*
 * All permissions are checked here: every command, form, button and suggestion asks when it acts, and again after
 * every click.
 */

/**
 * Makes sure that the actor has all of these capabilities in the channel. Throws `not_linked`, `not_proven` if the link is
 * suspended, `not_allowed`, `not_found`, or network errors.
 */
export async function authorize(
  context: BotContext,
  actor: Actor,
  channelId: string,
  ...needed: readonly [Capability, ...Capability[]]
): Promise<Right & { linked: Linked }> {
  return requireRight(context, actor, await requireLinked(context, actor, channelId), ...needed);
}

/** A permitted action in a channel, through the bot. */
export interface AuthorizedAction {
  /** The channel as the network shows it now. */
  channel: Channel;
  /** The actor, for the case. */
  by: Doer;
}

/**
 * The same for the bot's actions in the actor's name: the bot must moderate the channel, too. Throws like `authorize`, and
 * `not_allowed` if the bot does not. Writes only if the stored bot role is out of date; otherwise `verify-links` does.
 */
export async function authorizeAction(
  context: BotContext,
  actor: Actor,
  channelId: string,
  ...needed: readonly [Capability, ...Capability[]]
): Promise<AuthorizedAction> {
  const found = (await authorizeActions(context, actor, [channelId], ...needed)).get(channelId);
  if (found && !(found instanceof AppError)) return found;
  throw found ?? notLinked();
}

/** The same in several channels; an error for each in which it is not allowed. */
export async function authorizeActions(
  context: BotContext,
  actor: Actor,
  channelIds: readonly string[],
  ...needed: readonly Capability[]
): Promise<Map<string, AuthorizedAction | AppError>> {
  const found = new Map<string, AuthorizedAction | AppError>();
  const verdicts = await checkRights(
    context,
    actor,
    await readLinked(context, actor, channelIds),
    needsAll(...needed),
  );
  const unread = verdicts.flatMap((one) => ("staffFid" in one && !one.channel ? [one.linked.channelId] : []));
  const read = await readChannels(context, unread, (channelId) => findChannel(context, channelId));
  for (const verdict of verdicts) {
    const { channelId } = verdict.linked;
    if ("refusal" in verdict) found.set(channelId, verdict.refusal);
    else {
      const channel = verdict.channel ?? read.get(channelId) ?? noSuchChannel(channelId);
      found.set(channelId, await toAction(context, actor, verdict, channel));
    }
  }
  for (const channelId of channelIds) {
    if (!found.has(channelId)) found.set(channelId, await explainUnlinked(context, actor, channelId));
  }
  return found;
}

/** The same for anything that is in a channel, each with what it takes: what takes the same is read together. By key. */
export async function authorizeEach<K>(
  context: BotContext,
  actor: Actor,
  wanted: readonly { key: K; channelId: string; needed: readonly Capability[] }[],
): Promise<Map<K, AuthorizedAction | AppError>> {
  const rights = new Map<K, AuthorizedAction | AppError>();
  const alike = groupBy(wanted, ({ needed }) => [...new Set(needed)].toSorted().join(" "));
  for (const some of alike.values()) {
    const channelIds = [...new Set(some.map(({ channelId }) => channelId))];
    const found = await authorizeActions(context, actor, channelIds, ...new Set(some[0].needed));
    for (const { key, channelId } of some) {
      const right = found.get(channelId);
      if (right) rights.set(key, right);
    }
  }
  return rights;
}

async function toAction(
  context: BotContext,
  { userId, token }: Actor,
  { linked, staffFid }: Right & { linked: Linked },
  channel: Channel | AppError,
): Promise<AuthorizedAction | AppError> {
  if (channel instanceof AppError) return channel;
  const moderates = botModerates(context.botFid, channel);
  if (moderates !== (linked.botRoleLostAtMs === null)) await noteBotRole(context, channel);
  if (moderates) return { channel, by: { userId, fid: staffFid, ...(token && { token }) } };
  return new AppError(
    "not_allowed",
    `Castellan (fid ${context.botFid}) does not moderate ${channel.id}, so nothing was done: ${describeOnboarding(context.botFid, linked.onboardingStage, linked.onboardingError)}`,
  );
}

/**
 * Makes sure that a cast is in the channel of the actor's rights, because the network lets the bot act in every channel
 * that it moderates. Throws `not_allowed`.
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
    `Castellan has never seen that cast, so it does not know whether it is in ${channelId}. Use a Farcaster client instead.`,
  );
}

/**
 * The channels that the bot moderates, if known: not while one is unreadable, and never on the live network, which lists
 * all its channels in one response of many megabytes, and may have ones that the bot neither follows nor is linked to.
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

/** Linking needs a proof of rights in the channel, and Manage Server in the server. Throws `not_allowed`, `not_proven`. */
export async function authorizeLink(context: BotContext, actor: Actor, channel: Channel): Promise<void> {
  requireManager(actor, channel.id);
  if (isAllowedByOperator(context, actor.guildId, channel.id)) return;
  if ((await findStaffFid(context, channel, actor)) !== undefined) return;
  throw new AppError(
    "not_proven",
    `Nobody who owns or moderates ${channel.id} has verified your Discord account as theirs. /setup link shows how you can prove it. The operator of Castellan can also allow this server (CHANNEL_GUILDS).`,
  );
}

/**
 * Ending a link needs Manage Server, or having made the link, or a role with "link", all from our own rows, because the
 * network may be down or have lost the channel. Staff that the network shows may end it, too. Throws `not_linked`,
 * `not_allowed`.
 */
export async function authorizeUnlink(context: BotContext, actor: Actor, channelId: string): Promise<void> {
  const linked = await requireLinked(context, actor, channelId);
  if (mayUnlink(actor, linked)) return;
  const right = (await findStaffRights(context, actor, [channelId])).get(channelId);
  const isUnreadable = right instanceof AppError;
  if (!isUnreadable && right?.staffFid !== undefined) return;
  const note = isUnreadable ? " The network cannot be reached just now to find out who that is." : "";
  throw new AppError(
    "not_allowed",
    `You may not end the link to /${channelId}. This takes Discord's "Manage Server" permission or a role with "link". <@${linked.linkedBy}>, who made the link, may end it too, and so may anyone who verifiably owns or moderates the channel.${note}`,
  );
}

/**
 * Somebody whose right to the settings comes from a role can give and remove only what their roles give them: otherwise
 * "link" would include every capability. Throws like `authorize`.
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
    `Your roles give you ${byRole.join(", ")} in /${channelId}, and you may give and remove only that. For the rest, ask somebody who verifiably owns or moderates the channel.`,
  );
}

/**
 * The actor's rights in each channel that is linked and not suspended, for suggestions: channels that the network does not
 * show are left out, and missing rights do not throw.
 */
export async function listRights(context: BotContext, actor: Actor): Promise<Map<string, readonly string[]>> {
  const links = (await readLinked(context, actor)).filter(({ suspendedAtMs }) => suspendedAtMs === null);
  const withoutRoles = links.map((linked) => ({ ...linked, byRole: [] }));
  // What the staff may do is cut to what the token has below.
  const person = { ...actor, token: undefined };
  const rights = await checkRights(context, person, withoutRoles, needsAll("view"));
  return new Map(
    rights.map((right, index) => {
      const { channelId } = right.linked;
      if ("staffFid" in right) return [channelId, actor.token?.capabilities ?? capabilities];
      if (right.because === "unreadable") {
        context.log.warn({ err: right.refusal, channelId }, "could not read rights for suggestions");
      }
      return [channelId, links[index]?.byRole ?? []];
    }),
  );
}

/** The linked channels whose link the actor may end, by stored rows alone. */
export async function listUnlinkable(context: BotContext, actor: Actor): Promise<string[]> {
  const links = await readLinked(context, actor);
  return links.filter((linked) => mayUnlink(actor, linked)).map(({ channelId }) => channelId);
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

export function mayUnlink({ managesServer, userId }: Actor, { linkedBy, byRole }: Linked): boolean {
  return managesServer || linkedBy === userId || byRole.includes("link");
}
