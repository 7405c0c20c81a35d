import type { Actor, BotContext, RoomAccess } from "../bot-context.ts";
import { AppError, asAppError } from "../errors.ts";
import {
  checkRight,
  findStaff,
  mayUnlink,
  notAllowed,
  notAllowedAnywhere,
  type Refused,
  type Right,
} from "./authorize.ts";
import type { Capability } from "./capabilities.ts";
import { explainUnlinked, notLinked, readLinked, type Linked } from "./channel-links.ts";

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
  return requireHeld(await checkRights(context, actor, capability), capability, needed);
}

/** The linked channels in which the actor holds one of these; nothing is refused. */
export async function listHeld(
  context: BotContext,
  actor: Actor,
  ...anyOf: readonly Capability[]
): Promise<Set<string>> {
  const verdicts = await Promise.all(anyOf.map((capability) => checkRights(context, actor, capability)));
  return new Set(verdicts.flat().flatMap((one) => ("staffFid" in one ? [one.linked.channelId] : [])));
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
  const verdicts = await checkRights(context, actor, "rules");
  const noneActs = verdicts.length > 0 && verdicts.every((one) => "idle" in one && one.idle);
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
  const verdicts = await checkRights(context, actor, "feeds");
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
  const verdicts = await checkRights(context, actor, "feeds");
  const asked = verdicts.filter(({ linked }) => channelIds?.includes(linked.channelId) ?? true);
  if (asked.every((one) => "idle" in one && one.idle)) {
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
  const looks = await Promise.allSettled(links.map((linked) => findStaff(context, actor, linked)));
  if (looks.some((look) => look.status === "fulfilled" && look.value !== undefined)) return;
  for (const look of looks) if (look.status === "rejected") throw look.reason;
  throw notAllowed(first.channelId, "view");
}

type Verdict = (Right | Refused) & { linked: Linked };

async function checkRights(context: BotContext, actor: Actor, capability: Capability): Promise<Verdict[]> {
  const links = await readLinked(context, actor);
  return Promise.all(
    links.map(async (linked) => {
      try {
        return { ...(await checkRight(context, actor, linked, capability)), linked };
      } catch (error) {
        // One channel that cannot be read keeps nobody from the others.
        const refusal = asAppError(error);
        if (refusal) return { refusal, idle: false, linked };
        throw error;
      }
    }),
  );
}

function requireHeld(
  verdicts: readonly Verdict[],
  capability: Capability,
  needed: readonly string[],
): string[] {
  const refused = verdicts.flatMap((one) => ("refusal" in one ? [one] : []));
  const blocking = refused.find(({ idle, linked }) => !idle && needed.includes(linked.channelId));
  if (blocking) throw blocking.refusal;
  const held = verdicts.flatMap((one) => ("staffFid" in one ? [one.linked.channelId] : []));
  if (held.length > 0) return held;
  const working = refused.filter(({ idle }) => !idle);
  // One channel is enough, so no single one is named as if it were missing.
  if (working.length > 1 && working.every(({ refusal }) => refusal.code === "not_allowed")) {
    throw notAllowedAnywhere(idsOf(working), capability);
  }
  throw (refused.find(({ idle }) => !idle) ?? refused[0])?.refusal ?? notLinked();
}

function idsOf(verdicts: readonly Verdict[]): string[] {
  return verdicts.map(({ linked }) => linked.channelId);
}
