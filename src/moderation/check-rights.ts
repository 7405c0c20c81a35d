import type { Actor, BotContext } from "../bot-context.ts";
import type { Channel } from "../contract/channels.ts";
import { AppError } from "../errors.ts";
import { nameSome } from "../text/message-text.ts";
import type { Capability } from "./capabilities.ts";
import type { Linked } from "./channel-links.ts";
import { findStaffRights, isAllowedByOperator, type StaffRight } from "./staff.ts";

/*
 * Rights by role are in our own rows; the network is asked for the channel's staff only if the roles do not suffice. A
 * channel that is gone or suspended gives no rights, and blocks nothing elsewhere.
 */

/** A right in a channel, and its basis. */
export interface Right {
  /** The actor's verified fid if they own or moderate the channel; undefined if a role or the operator gives the right. */
  staffFid: number | undefined;
  /** The network's record, if it was read just now. */
  channel?: Channel;
}

/** Why somebody lacks a right. */
export interface Refused {
  refusal: AppError;
  /** The channel is gone or its link suspended, the network does not show its staff, or they lack it. */
  because: "idle" | "unreadable" | "missing";
}

export type Verdict = (Right | Refused) & { linked: Linked };

/** Returns the capability that somebody's roles lack; undefined if they suffice. */
type FindMissing = (linked: Linked) => Capability | undefined;

export function needsAll(...needed: readonly Capability[]): FindMissing {
  return ({ byRole }) => needed.find((capability) => !byRole.includes(capability));
}

export function needsOneOf(...needed: readonly [Capability, ...Capability[]]): FindMissing {
  return ({ byRole }) => (needed.some((capability) => byRole.includes(capability)) ? undefined : needed[0]);
}

/**
 * Whether the actor has the needed rights in each of these channels. The network is asked only where our rows leave it
 * open, and an unreadable channel does not affect the others.
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
  const message = `The token may not ${actions[missing]} /${linked.channelId}: it lacks "${missing}". /setup tokens makes one that has it.`;
  return { refusal: new AppError("not_allowed", message), because: "missing" };
}

function judgeByRows(
  context: BotContext,
  { managesServer, guildId }: Actor,
  { channelId, suspendedAtMs, suspendedReason }: Linked,
  missing: Capability | undefined,
): Right | Refused | { missing: Capability } {
  if (suspendedAtMs !== null) {
    const message = `The link to ${channelId} is suspended: ${suspendedReason} An owner or moderator renews it with /setup link.`;
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
    const message = `The network no longer knows /${channelId}. To remove the link, use /setup unlink.`;
    return { refusal: new AppError("not_found", message), because: "idle" };
  }
  const { channel, staffFid } = shown;
  if (staffFid !== undefined) return { staffFid, ...(!live && { channel }) };
  return { refusal: notAllowed(channelId, missing), because: "missing" };
}

const actions: Record<Capability, string> = {
  view: "view the lists and cases of",
  invite: "invite people to",
  hide: "hide casts of",
  pin: "pin casts of",
  ban: "ban people from",
  undo: "undo other people's actions in",
  rules: "view or change the rules of",
  feeds: "change the feeds of",
  link: "change the link and settings of",
};

export function notAllowed(channelId: string, capability: Capability): AppError {
  return new AppError(
    "not_allowed",
    `You may not ${actions[capability]} /${channelId}. ${wayToRight(capability, "the channel")}`,
  );
}

/** The error if the right in any one of several channels would be enough. */
export function notAllowedAnywhere(channelIds: readonly string[], capability: Capability): AppError {
  const shown = nameSome(channelIds, 10, (id) => `/${id}`);
  return new AppError(
    "not_allowed",
    `You may not ${actions[capability]} any channel of this server (${shown}); one of them would be enough. ${wayToRight(capability, "that channel")}`,
  );
}

function wayToRight(capability: Capability, channel: string): string {
  return `One of your roles needs "${capability}" (anyone who owns or moderates ${channel} can give it with /setup permissions), or you must own or moderate ${channel} with a verified Discord account, or have proved that with /setup link.`;
}
