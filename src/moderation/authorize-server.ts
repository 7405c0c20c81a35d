import type { Actor, BotContext, RoomAccess } from "../bot-context.ts";
import { AppError } from "../errors.ts";
import { amount } from "../text/amount.ts";
import { showNumber } from "../text/numbered.ts";
import { mayUnlink } from "./authorize.ts";
import { channelsOf, type Bulk } from "./bulks/bulk.ts";
import { capabilities, type Capability } from "./capabilities.ts";
import { explainUnlinked, notLinked, readLinked } from "./channel-links.ts";
import {
  checkRights,
  needsAll,
  needsOneOf,
  notAllowed,
  notAllowedAnywhere,
  type Refused,
  type Verdict,
} from "./check-rights.ts";
import { findStaffRights } from "./staff.ts";

/**
 * The linked channels in which the actor has the capability: at least one, and all of `needed` that are neither gone nor
 * suspended. Throws like `authorize`.
 */
export async function authorizeIn(
  context: BotContext,
  actor: Actor,
  capability: Capability,
  needed: readonly string[] = [],
): Promise<string[]> {
  return requireHeld(await checkAll(context, actor, capability), capability, needed);
}

/** The linked channels in which the actor has one of these capabilities; never throws for missing rights. */
export async function listHeld(
  context: BotContext,
  actor: Actor,
  ...anyOf: readonly [Capability, ...Capability[]]
): Promise<Set<string>> {
  const links = await readLinked(context, actor);
  return new Set(heldIn(await checkRights(context, actor, links, needsOneOf(...anyOf))));
}

/** The linked channels among these that the actor may not view; those that are idle or unreadable are not among them. */
export async function listUnviewed(
  context: BotContext,
  actor: Actor,
  channelIds: readonly string[],
): Promise<Set<string>> {
  const links = await readLinked(context, actor, channelIds);
  return new Set(idsOf(missingAmong(await checkRights(context, actor, links, needsAll("view")))));
}

/**
 * The channels of a bulk in which the actor has one of these capabilities: at least one. Throws like `authorize`, but does
 * not name the channels if there are several.
 */
export async function authorizeBulk(
  context: BotContext,
  actor: Actor,
  bulk: Bulk,
  ...anyOf: readonly [Capability, ...Capability[]]
): Promise<string[]> {
  const links = await readLinked(context, actor, channelsOf(bulk));
  const verdicts = await checkRights(context, actor, links, needsOneOf(...anyOf));
  const held = heldIn(verdicts);
  if (held.length > 0) return held;
  throwRefused(verdicts, "unreadable");
  if (bulk.otherChannelIds.length > 0 && missingAmong(verdicts).length > 0) {
    throw notAllowedInBulk(bulk, anyOf[0]);
  }
  throwRefused(verdicts, "missing", "idle");
  throw await explainUnlinked(context, actor, bulk.channelId);
}

/**
 * The person who began a bulk may stop it with any right in one of its channels; others need "undo" in all that are neither gone
 * nor suspended. Returns the channels that may be named to the actor. Throws like `authorizeBulk`.
 */
export async function authorizeStop(context: BotContext, actor: Actor, bulk: Bulk): Promise<string[]> {
  if (bulk.requestedBy === actor.userId) return authorizeBulk(context, actor, bulk, ...capabilities);
  const held = await authorizeBulk(context, actor, bulk, "undo");
  const links = await readLinked(context, actor, channelsOf(bulk));
  const verdicts = await checkRights(context, actor, links, needsAll("undo"));
  throwRefused(verdicts, "unreadable");
  const lacking = idsOf(missingAmong(verdicts));
  if (lacking.length === 0) return held;
  const unviewed = await listUnviewed(context, actor, lacking);
  const named = lacking.filter((id) => !unviewed.has(id)).map((id) => `/${id}`);
  if (unviewed.size > 0) named.push(`${amount(unviewed.size, "channel")} that you may not view`);
  throw new AppError(
    "not_allowed",
    `Stopping ${showNumber("bulk", bulk.number)} takes "undo" in all of its channels, and you lack it in ${named.join(", ")}.`,
  );
}

/** The error for a bulk in several channels, which are not named to people who may view none of them. */
export function notAllowedInBulk({ number }: Bulk, capability: Capability): AppError {
  return new AppError(
    "not_allowed",
    `${showNumber("bulk", number)} acts in several channels, and you lack "${capability}" in all of them.`,
  );
}

/**
 * Rules belong to the server: reading them needs "rules" in one of its channels, a change needs it in each channel that
 * the change can affect (`concerned`). If all channels are gone or suspended, no rule acts anywhere: then Manage Server is
 * enough, or a role that had "rules". Returns the channels in which the actor has it.
 */
export async function authorizeRules(
  context: BotContext,
  actor: Actor,
  concerned: readonly string[] = [],
): Promise<string[]> {
  const verdicts = await checkAll(context, actor, "rules");
  const noneActs = verdicts.length > 0 && verdicts.every(isIdle);
  const hadIt = actor.managesServer || verdicts.some(({ linked }) => linked.byRole.includes("rules"));
  return noneActs && hadIt ? [] : requireHeld(verdicts, "rules", concerned);
}

/**
 * A feed needs "feeds" in each of its channels (null: all that are linked and working), and the right to post in its room,
 * because a feed repeats anybody's casts. The bot must be able to post there, too. Throws like `authorize`.
 */
export async function authorizeFeed(
  context: BotContext,
  actor: Actor,
  channelIds: readonly string[] | null,
  room: RoomAccess | undefined,
): Promise<void> {
  const verdicts = await checkAll(context, actor, "feeds");
  const unknown = channelIds?.find((id) => verdicts.every(({ linked }) => linked.channelId !== id));
  if (unknown !== undefined) throw await explainUnlinked(context, actor, unknown);
  const asked = verdicts.filter(({ linked }) => channelIds?.includes(linked.channelId) ?? true);
  requireHeld(asked, "feeds", idsOf(asked));
  if (!room) throw new AppError("room_unavailable", "Castellan does not see that room in this server.");
  if (room.actorLacks.length > 0) {
    throw new AppError(
      "not_allowed",
      `You can add feeds only to rooms in which you may post. In that room you lack ${room.actorLacks.join(", ")}.`,
    );
  }
  if (room.botLacks.length > 0) {
    throw new AppError(
      "room_unavailable",
      `Castellan lacks ${room.botLacks.join(", ")} in that room. Somebody who manages the room can grant it.`,
    );
  }
}

/**
 * Ending a feed needs "feeds" in each of its channels that are still linked and working (null: all), or Manage Server,
 * because the rooms belong to the server. Throws like `authorize`.
 */
export async function authorizeFeedRemoval(
  context: BotContext,
  actor: Actor,
  channelIds: readonly string[] | null,
): Promise<void> {
  if (actor.managesServer) return;
  const verdicts = await checkAll(context, actor, "feeds");
  const asked = verdicts.filter(({ linked }) => channelIds?.includes(linked.channelId) ?? true);
  if (asked.every(isIdle)) {
    throw new AppError(
      "not_allowed",
      'The channels of this feed are gone, suspended or no longer linked, so ending it takes Discord\'s "Manage Server" permission.',
    );
  }
  requireHeld(asked, "feeds", idsOf(asked));
}

/**
 * The server's overall state (/status, /feed show) is for people who can view one of its channels, even a suspended one,
 * and for Manage Server. Throws `not_linked`, `not_allowed`, or network errors.
 */
export async function authorizeOverview(context: BotContext, actor: Actor): Promise<void> {
  if (actor.managesServer) return;
  const links = await readLinked(context, actor);
  const [first] = links;
  if (!first) throw notLinked();
  if (links.some((linked) => mayUnlink(actor, linked) || linked.byRole.includes("view"))) return;
  const ids = links.map(({ channelId }) => channelId);
  const shown = [...(await findStaffRights(context, actor, ids)).values()];
  if (shown.some((one) => !(one instanceof AppError) && one.staffFid !== undefined)) return;
  for (const one of shown) if (one instanceof AppError) throw one;
  throw notAllowed(first.channelId, "view");
}

async function checkAll(context: BotContext, actor: Actor, capability: Capability): Promise<Verdict[]> {
  return checkRights(context, actor, await readLinked(context, actor), needsAll(capability));
}

function throwRefused(verdicts: readonly Verdict[], ...because: Refused["because"][]): void {
  for (const one of verdicts) if ("because" in one && because.includes(one.because)) throw one.refusal;
}

function missingAmong(verdicts: readonly Verdict[]): Verdict[] {
  return verdicts.filter((one) => "because" in one && one.because === "missing");
}

function isIdle(verdict: Verdict): boolean {
  return "because" in verdict && verdict.because === "idle";
}

function heldIn(verdicts: readonly Verdict[]): string[] {
  return verdicts.flatMap((one) => ("staffFid" in one ? [one.linked.channelId] : []));
}

function requireHeld(
  verdicts: readonly Verdict[],
  capability: Capability,
  needed: readonly string[],
): string[] {
  const refused = verdicts.flatMap((one) => ("refusal" in one ? [one] : []));
  const working = refused.filter((one) => !isIdle(one));
  const blocking = working.find(({ linked }) => needed.includes(linked.channelId));
  if (blocking) throw blocking.refusal;
  const held = heldIn(verdicts);
  if (held.length > 0) return held;
  // One channel is enough, so the error does not name a single one.
  if (working.length > 1 && working.every((one) => one.refusal.code === "not_allowed")) {
    throw notAllowedAnywhere(idsOf(working), capability);
  }
  throw (working[0] ?? refused[0])?.refusal ?? notLinked();
}

function idsOf(verdicts: readonly Verdict[]): string[] {
  return verdicts.map(({ linked }) => linked.channelId);
}
