import { LRUCache } from "lru-cache";
import type { CommandContext } from "../../src/discord/command-context.ts";
import type { Choice, RawValues, Suggest } from "../../src/discord/command.ts";
import { readRoomChannels } from "../../src/feed/feeds.ts";
import { listRights } from "../../src/moderation/authorize.ts";
import type { Capability } from "../../src/moderation/capabilities.ts";
import { listLinkedChannels } from "../../src/moderation/channel-links.ts";
import { listSavedReasons } from "../../src/moderation/saved-reasons.ts";
import { suggestCasts, type ShownCasts } from "../../src/moderation/suggest-casts.ts";
import { suggestUsers, type UserPurpose } from "../../src/moderation/suggest-users.ts";
import { nameUser, nameWithFid, peopleIn, readNames } from "../../src/observe/people.ts";
import { countPoints, cutText } from "../../src/text/message-text.ts";
import { castLine } from "../../src/text/show-cast.ts";

/*
 * Suggestions while somebody types: nothing that would be refused, and from channels in which they have no rights only what
 * everybody sees on the network.
 */

/** Suggestions are requested at every keystroke, so an actor's rights are cached this long, in milliseconds. */
const lifetime = 5000;
/** The most actors that are cached at once. */
const capacity = 1000;

type Rights = ReadonlyMap<string, readonly string[]>;
interface Remembered {
  until: number;
  rights: Promise<Rights>;
}
const byDatabase = new WeakMap<CommandContext["database"], LRUCache<string, Remembered>>();

/** The linked channels in which the actor has the capability, or any; suggestions show nothing from others. */
export async function suggestedChannels(context: CommandContext, capability?: Capability): Promise<string[]> {
  const rights = [...(await recallRights(context))];
  return rights
    .filter(([, held]) => (capability === undefined ? held.length > 0 : held.includes(capability)))
    .map(([channelId]) => channelId);
}

function recallRights(context: CommandContext): Promise<Rights> {
  const { database, clock, actor } = context;
  const remembered = byDatabase.get(database) ?? new LRUCache<string, Remembered>({ max: capacity });
  byDatabase.set(database, remembered);
  const key = [actor.guildId, actor.userId, actor.managesServer, ...actor.roleIds].join(" ");
  const now = clock.now();
  const known = remembered.get(key);
  // A clock that was set back must not make them last.
  if (known && now < known.until && known.until <= now + lifetime) return known.rights;
  const rights = listRights(context, actor);
  remembered.set(key, { until: now + lifetime, rights });
  rights.catch(() => remembered.delete(key));
  return rights;
}

/** The channel that need not be named: the only one that works, or the one that this room follows. */
export async function findClearChannel(
  context: CommandContext,
  linked: readonly string[],
): Promise<string | undefined> {
  const { guildId, roomId } = context.actor;
  const working = await listLinkedChannels(context, guildId, { suspended: false });
  const [first, second] = working.length > 0 ? working : linked;
  if (second === undefined) return first;
  const feeds = await readRoomChannels(context.database.query, guildId, roomId);
  const [followed, another] = new Set(feeds.flatMap((channelIds) => channelIds ?? linked));
  return another === undefined ? followed : undefined;
}

/** The channels to suggest from: the typed one, or the one that is clear; otherwise all in which the actor may do it. */
export async function suggestedIn(
  context: CommandContext,
  given: RawValues,
  capability?: Capability,
): Promise<string[]> {
  const held = await suggestedChannels(context, capability);
  if (held.length === 0) return held;
  const named = given["channel"] ?? (await findClearChannel(context, held));
  return named === undefined ? held : held.filter((id) => id === named);
}

/** The capability that is needed to be shown suggestions of people. */
const needed: Record<UserPurpose, Capability | undefined> = {
  any: undefined,
  case: "view",
  ban: "ban",
  unban: "ban",
  invite: "invite",
  revoke: "invite",
};

/**
 * Discord takes the first suggestion on Enter. If that would affect somebody and nothing was typed, the
 * first suggestion is a hint, which is refused as input.
 */
const nobody: Choice = { name: "Type a name, a fid or a profile link, or choose below", value: "?" };
const careful: ReadonlySet<UserPurpose> = new Set(["ban", "invite", "revoke"]);

export function suggestUsersFor(purpose: UserPurpose): Suggest {
  return async (typed, context, given) => {
    const channelIds = await suggestedIn(context, given, needed[purpose]);
    if (channelIds.length === 0) return [];
    const { guildId } = context.actor;
    const users = await suggestUsers(context, { purpose, guildId, channelIds }, typed);
    const choices = users.map((user) => ({ name: nameWithFid(user), value: String(user.fid) }));
    return typed.trim() === "" && careful.has(purpose) ? [nobody, ...choices.slice(0, 24)] : choices;
  };
}

/** The capability in a channel that is needed to be suggested its casts; kinds left out are not suggested. */
interface OfferedCasts {
  visible?: Capability;
  hidden?: Capability;
}

export function suggestCastsFor(offered: OfferedCasts): Suggest {
  return async (typed, context, given) => {
    const channelsWith = async (capability: Capability | undefined) =>
      capability === undefined ? [] : suggestedIn(context, given, capability);
    const [visibleIn, hiddenIn] = [await channelsWith(offered.visible), await channelsWith(offered.hidden)];
    return offerCasts(context, { visibleIn, hiddenIn }, typed);
  };
}

/** Casts that nobody hid in channels of this server: every member sees them on the network, too. */
export const suggestVisibleCasts: Suggest = async (typed, context) => {
  const visibleIn = await listLinkedChannels(context, context.actor.guildId, { suspended: false });
  return offerCasts(context, { visibleIn, hiddenIn: [] }, typed);
};

async function offerCasts(context: CommandContext, shown: ShownCasts, typed: string): Promise<Choice[]> {
  const casts = await suggestCasts(context, shown, typed);
  const names = await readNames(context.database.query, peopleIn(casts));
  const several = new Set([...shown.visibleIn, ...shown.hiddenIn]).size > 1;
  const { clock, texts } = context;
  const now = clock.now() / 1000;
  return casts.map((cast) => {
    const who = nameUser({ fid: cast.fid, name: names.get(cast.fid) });
    const ago = texts.ago(now - cast.castAt);
    const head = several ? texts.suggestedIn(who, cast.channelId, ago) : texts.suggested(who, ago);
    const begin = cutText(head, 70);
    const line = castLine(cast, names, 100 - countPoints(begin), texts.cast);
    return { name: `${begin}${line}`, value: cast.hash };
  });
}

/** The saved reasons, for anyone with a capability in this server. */
export const suggestReasons: Suggest = async (typed, context) => {
  if ((await suggestedChannels(context)).length === 0) return [];
  const saved = await listSavedReasons(context.database.query, context.actor.guildId);
  const word = typed.trim().toLowerCase();
  return saved
    .filter(({ reason }) => reason.toLowerCase().includes(word))
    .map(({ reason }) => ({ name: reason, value: reason }));
};

export const suggestChannels: Suggest = async (typed, context) =>
  toChannelChoices(await suggestedChannels(context), typed);

export function toChannelChoices(channelIds: readonly string[], typed: string): Choice[] {
  const word = typed.trim().replace(/^\//, "").toLowerCase();
  return channelIds.filter((id) => id.includes(word)).map((id) => ({ name: `/${id}`, value: id }));
}

/** Suggests in one way or another, as a flag among the typed options says. */
export function suggestBy(flag: string, on: Suggest, off: Suggest): Suggest {
  return (typed, context, given) => (given[flag] === true ? on : off)(typed, context, given);
}
