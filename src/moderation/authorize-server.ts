import type { Actor, BotContext, RoomAccess } from "../bot-context.ts";
import { AppError } from "../errors.ts";
import { mayUnlink } from "./authorize.ts";
import type { Capability } from "./capabilities.ts";
import { explainUnlinked, notLinked, readLinked } from "./channel-links.ts";
import {
  checkRights,
  needsAll,
  needsOneOf,
  notAllowed,
  notAllowedAnywhere,
  type Verdict,
} from "./check-rights.ts";
import { findStaffRights } from "./staff.ts";

/**
 * The linked channels in which the actor holds the capability: at least one, and all of `needed` that are neither gone nor
 * suspended. Throws as `authorize` does.
 */
export async function authorizeIn(
  context: BotContext,
  actor: Actor,
  capability: Capability,
  needed: readonly string[] = [],
): Promise<string[]> {
  return requireHeld(await checkAll(context, actor, capability), capability, needed);
}

/** The linked channels in which the actor holds one of these; nothing is refused. */
export async function listHeld(
  context: BotContext,
  actor: Actor,
  ...anyOf: readonly [Capability, ...Capability[]]
): Promise<Set<string>> {
  const links = await readLinked(context, actor);
  return new Set(heldIn(await checkRights(context, actor, links, needsOneOf(...anyOf))));
}

/**
 * Rules belong to the server: reading them takes "rules" in one of its channels, a change takes it in each channel in
 * which what changes can act (`concerned`). Where all channels are gone or suspended, no rule acts anywhere: then Manage
 * Server is enough, or a role that had "rules". Gives the channels in which the actor holds it.
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
 * A feed takes "feeds" in each channel that it is of (null: all that are linked and work), and posting as oneself in its
 * room: a feed repeats what anybody casts. The bot must be able to post there, too. Throws as `authorize` does.
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
      `A feed posts where you may post yourself. In that room you lack ${room.actorLacks.join(", ")}.`,
    );
  }
  if (room.botLacks.length > 0) {
    throw new AppError(
      "room_unavailable",
      `Castellan lacks ${room.botLacks.join(", ")} in that room. Whoever manages the room gives it there.`,
    );
  }
}

/**
 * Ending a feed takes "feeds" in each of its channels that are still linked and work (null: all), or Manage Server, whose
 * rooms they are. Throws as `authorize` does.
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
 * How the server as a whole stands (/status, /feed list) is for whoever may look at one of its channels, suspended ones too,
 * and for Manage Server. Throws `not_linked`, `not_allowed`, or what the network answers.
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
  // One channel is enough, so no single one is named as if it were missing.
  if (working.length > 1 && working.every(({ refusal }) => refusal.code === "not_allowed")) {
    throw notAllowedAnywhere(idsOf(working), capability);
  }
  throw (working[0] ?? refused[0])?.refusal ?? notLinked();
}

function idsOf(verdicts: readonly Verdict[]): string[] {
  return verdicts.map(({ linked }) => linked.channelId);
}
