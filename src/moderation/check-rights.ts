import type { Actor, BotContext } from "../bot-context.ts";
import type { Channel } from "../contract/channels.ts";
import { AppError } from "../errors.ts";
import type { Capability } from "./capabilities.ts";
import type { Linked } from "./channel-links.ts";
import { findStaffRights, isAllowedByOperator, type StaffRight } from "./staff.ts";

/*
 * What a role may do stands in our rows; the network is asked for the channel's staff only where they give nothing. A channel
 * that is gone or suspended gives no rights, and keeps nobody from anything elsewhere.
 */

/** A right in a channel, and what it rests on. */
export interface Right {
  /** The actor's verified fid where they own or moderate the channel; undefined where a role or the operator gives the right. */
  staffFid: number | undefined;
  /** The network's record, where it was read at this moment. */
  channel?: Channel;
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
    ...(judgeByToken(actor, linked, findMissing) ?? judgeByRows(context, actor, linked, findMissing(linked))),
  }));
  const open = known.flatMap((one) => ("missing" in one ? [one.linked.channelId] : []));
  const shown = await findStaffRights(context, actor, open);
  return known.map((one) => {
    if (!("missing" in one)) return one;
    const { linked, missing } = one;
    return { linked, ...judgeByStaff(context, linked.channelId, missing, shown.get(linked.channelId)) };
  });
}

/** A token may do no more than it was given, whatever its owner may. */
function judgeByToken(
  { token }: Actor,
  linked: Linked,
  findMissing: FindMissing,
): { refusal: AppError; because: "missing" } | undefined {
  const missing = token && findMissing({ ...linked, byRole: token.capabilities });
  if (missing === undefined) return undefined;
  const message = `The token may not ${actions[missing]} /${linked.channelId}: it lacks "${missing}". /channel tokens makes one that has it.`;
  return { refusal: new AppError("not_allowed", message), because: "missing" };
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
    const message = `The network no longer knows /${channelId}. To remove the link, use /channel unlink.`;
    return { refusal: new AppError("not_found", message), because: "idle" };
  }
  const { channel, staffFid } = shown;
  if (staffFid !== undefined) return { staffFid, ...(!live && { channel }) };
  return { refusal: notAllowed(channelId, missing), because: "missing" };
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
