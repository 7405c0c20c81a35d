import { LRUCache } from "lru-cache";
import { ChannelId } from "../../src/contract/values.ts";
import type { CommandContext } from "../../src/discord/command-context.ts";
import { text, type Choice, type Option } from "../../src/discord/command.ts";
import { AppError } from "../../src/errors.ts";
import { listFeeds } from "../../src/feed/feeds.ts";
import {
  authorizeAction,
  listRights,
  listUnlinkable,
  type AuthorizedAction,
  requireCastIn,
} from "../../src/moderation/authorize.ts";
import type { Capability } from "../../src/moderation/capabilities.ts";
import { listLinkedChannels, notLinked } from "../../src/moderation/channel-links.ts";
import {
  findCast,
  findUser,
  suggestCasts,
  suggestUsers,
  type FoundCast,
} from "../../src/moderation/find-target.ts";
import type { User } from "../../src/observe/people.ts";
import { parseTypedDuration } from "../../src/text/duration.ts";
import { cutText } from "../../src/text/message-text.ts";

/** A user by fid, @name or profile link. */
export function userOption(description: string): Option<User> {
  const raw = text({ description, required: true, maxLength: 200 });
  return {
    ...raw,
    read: async (value, context) => findUser(context, await raw.read(value, context)),
    suggest: suggestUser,
  };
}

export async function suggestUser(typed: string, context: CommandContext): Promise<Choice[]> {
  if ((await suggestedChannels(context)).length === 0) return [];
  const users = await suggestUsers(context, typed);
  return users.map(({ fid, name }) => ({ name: `@${name} (fid ${fid})`, value: String(fid) }));
}

/** What a person needs in a channel to be offered its casts; none of a kind that is left out. */
interface OfferedCasts {
  visible?: Capability;
  hidden?: Capability;
}

/** A cast by hash or link. */
export function castOption(description: string, offered: OfferedCasts): Option<FoundCast> {
  const raw = text({ description, required: true, maxLength: 300 });
  return {
    ...raw,
    read: async (value, context) => findCast(context, await raw.read(value, context)),
    async suggest(typed, context, given) {
      const channelsWith = async (capability: Capability | undefined) => {
        const held = capability === undefined ? [] : await suggestedChannels(context, capability);
        return held.filter((id) => given["channel"] === undefined || given["channel"] === id);
      };
      const [visibleIn, hiddenIn] = [await channelsWith(offered.visible), await channelsWith(offered.hidden)];
      const casts = await suggestCasts(context, { visibleIn, hiddenIn }, typed);
      return casts.map((cast) => ({
        name: cutText(`fid ${cast.fid}: ${cast.text.replace(/\s+/g, " ") || "(no text)"}`, 100),
        value: cast.hash,
      }));
    },
  };
}

/** A channel that this server is linked to; may be left out where that is clear (`chooseChannel`). */
export const channelOption: Option<string | undefined> = text({
  description: "Channel, if this server is linked to several",
  maxLength: 40,
  suggest: suggestChannels,
});

async function suggestChannels(typed: string, context: CommandContext): Promise<Choice[]> {
  return toChannelChoices(await suggestedChannels(context), typed);
}

function toChannelChoices(channelIds: readonly string[], typed: string): Choice[] {
  const word = typed.trim().replace(/^\//, "").toLowerCase();
  return channelIds.filter((id) => id.includes(word)).map((id) => ({ name: `/${id}`, value: id }));
}

/** The same for a link that is to be ended: suspended ones too. */
export const linkOption: Option<string | undefined> = text({
  description: "Channel, if this server is linked to several",
  maxLength: 40,
  suggest: async (typed, context) => toChannelChoices(await listUnlinkable(context, context.actor), typed),
});

const usualDurations = ["1h", "6h", "1d", "3d", "7d", "30d"];

/** How long something lasts, in seconds; undefined for good. */
export function durationOption(description: string): Option<number | undefined> {
  const raw = text({ description, maxLength: 20 });
  return {
    ...raw,
    async read(value, context) {
      const typed = await raw.read(value, context);
      if (typed === undefined) return undefined;
      const seconds = parseTypedDuration(typed);
      if (seconds !== undefined) return seconds;
      throw new AppError("invalid_input", 'Not a duration. Write it as "30m", "6h", "7d" or "1d 12h".');
    },
    suggest: async (typed) =>
      usualDurations
        .filter((duration) => duration.startsWith(typed.trim()))
        .map((value) => ({ name: value, value })),
  };
}

/** Suggestions are asked for at every keystroke: what an actor may see counts for this long, in milliseconds. */
const lifetime = 5000;
/** Actors that are remembered at once. */
const capacity = 1000;

type Rights = ReadonlyMap<string, readonly string[]>;
interface Remembered {
  until: number;
  rights: Promise<Rights>;
}
const byDatabase = new WeakMap<CommandContext["database"], LRUCache<string, Remembered>>();

/** The linked channels in which the actor holds the capability, or any; suggestions show nothing of others. */
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

/** The channel that was given; or the only one that is linked and not suspended, or that this room follows. */
export async function chooseChannel(context: CommandContext, given: string | undefined): Promise<string> {
  if (given !== undefined) return readChannelId(given);
  const { guildId, roomId } = context.actor;
  const linked = await listLinkedChannels(context, guildId);
  if (linked.length === 0) throw notLinked();
  const working = await listLinkedChannels(context, guildId, { suspended: false });
  const [first, second] = working.length > 0 ? working : linked;
  if (first !== undefined && second === undefined) return first;
  const feeds = (await listFeeds(context, guildId)).filter((feed) => feed.roomId === roomId);
  const [followed, another] = new Set(feeds.flatMap((feed) => feed.channelIds ?? linked));
  if (followed !== undefined && another === undefined) return followed;
  throw sayWhich(linked);
}

/** The channel that was given, or the only one that is linked, suspended or not. */
export async function chooseLink(context: CommandContext, given: string | undefined): Promise<string> {
  if (given !== undefined) return readChannelId(given);
  const linked = await listLinkedChannels(context, context.actor.guildId);
  const [only, another] = linked;
  if (only === undefined) throw notLinked();
  if (another === undefined) return only;
  throw sayWhich(linked);
}

function sayWhich(linked: readonly string[]): AppError {
  return new AppError(
    "invalid_input",
    `This server is linked to several channels (${linked.join(", ")}). Say which with the channel option.`,
  );
}

/** Makes sure that the actor may do this to a cast, in the channel that was given or that the cast is in. */
export async function authorizeForCast(
  context: CommandContext,
  cast: FoundCast,
  given: string | undefined,
  capability: Capability,
): Promise<AuthorizedAction> {
  const channelId =
    given === undefined && cast.known ? cast.known.channelId : await chooseChannel(context, given);
  const authorized = await authorizeAction(context, context.actor, channelId, capability);
  await requireCastIn(context, cast, channelId);
  return authorized;
}

/** "memes" from "memes", "/memes" or a channel's link. */
export function readChannelId(text: string): string {
  const id = /([^/]+)\/?$/.exec(text.trim())?.[1]?.toLowerCase() ?? "";
  if (ChannelId.safeParse(id).success) return id;
  throw new AppError("invalid_input", "Not a channel. Give its id, such as memes, or its link.");
}
