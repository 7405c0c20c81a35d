import { ChannelId } from "../../src/contract/values.ts";
import type { CommandContext } from "../../src/discord/command-context.ts";
import { ChoiceNeeded } from "../../src/discord/choices.ts";
import { text, type Option } from "../../src/discord/command.ts";
import { AppError } from "../../src/errors.ts";
import {
  authorizeAction,
  listUnlinkable,
  type AuthorizedAction,
  requireCastIn,
} from "../../src/moderation/authorize.ts";
import type { Capability } from "../../src/moderation/capabilities.ts";
import { listLinkedChannels, notLinked } from "../../src/moderation/channel-links.ts";
import { findCast, findUser, type FoundCast } from "../../src/moderation/find-target.ts";
import type { UserPurpose } from "../../src/moderation/suggest-users.ts";
import type { User } from "../../src/observe/people.ts";
import { parseDuration, whyNoDuration } from "../../src/text/duration.ts";
import {
  findClearChannel,
  suggestCastsFor,
  suggestChannels,
  suggestedChannels,
  suggestUsersFor,
  toChannelChoices,
  type OfferedCasts,
} from "./suggestions.ts";

/** A user by fid, @name or profile link; what the command does with them says who is suggested. */
export function userOption(description: string, purpose: UserPurpose = "any"): Option<User> {
  const raw = text({ description, required: true, maxLength: 200 });
  return {
    ...raw,
    read: async (value, context) => findUser(context, await raw.read(value, context)),
    suggest: suggestUsersFor(purpose),
  };
}

/** A cast by hash or link. */
export function castOption(description: string, offered: OfferedCasts): Option<FoundCast> {
  const raw = text({ description, required: true, maxLength: 300 });
  return {
    ...raw,
    read: async (value, context) => findCast(context, await raw.read(value, context)),
    suggest: suggestCastsFor(offered),
  };
}

/** A channel that this server is linked to; may be left out where that is clear (`chooseChannel`). */
export const channelOption: Option<string | undefined> = text({
  description: "Channel, if this server is linked to several",
  maxLength: 40,
  suggest: suggestChannels,
});

/** The same for a link that is to be ended: suspended ones too. */
export const linkOption: Option<string | undefined> = text({
  description: "Channel, if this server is linked to several",
  maxLength: 40,
  suggest: async (typed, context) => toChannelChoices(await listUnlinkable(context, context.actor), typed),
});

const usualDurations = ["1h", "6h", "1d", "3d", "7d", "30d"];

/** No ban is shorter, in seconds: Castellan looks every few seconds what is to be lifted, and lifting takes the network time. */
const shortestBan = 60;

/** Throws `invalid_input` where a ban would be over before anybody noticed. */
function requireBanLength(seconds: number): number {
  if (seconds >= shortestBan) return seconds;
  throw new AppError(
    "invalid_input",
    "Too short: a ban lasts 1 minute at least. /ban soft bans and lifts the ban at once.",
  );
}

/** Seconds of a typed duration; `ways` says how to write it. Throws `invalid_input`. */
export function readDuration(typed: string, ways: string): number {
  const seconds = parseDuration(typed);
  if (seconds !== undefined) return seconds;
  throw new AppError(
    "invalid_input",
    ["Not a duration.", whyNoDuration(typed), ways].filter(Boolean).join(" "),
  );
}

const permanentBan = /^(for ?ever|for good|permanent(ly)?|never)$/i;

/** How long a ban lasts, in seconds: null for a permanent one. Throws `invalid_input`. */
export function readBanLength(typed: string): number | null {
  if (permanentBan.test(typed.trim())) return null;
  return requireBanLength(readDuration(typed, 'Write it as "6h", "7d" or "1d 12h", or "permanent".'));
}

/** The same as an option; undefined where it is left out. */
export function banLengthOption(description: string): Option<number | null | undefined> {
  const raw = durationOption(description);
  const choices = [...usualDurations, "permanent"];
  return {
    ...raw,
    async read(value, context) {
      return typeof value === "string" ? readBanLength(value) : raw.read(value, context);
    },
    suggest: async (typed) =>
      choices.filter((one) => one.startsWith(typed.trim())).map((value) => ({ name: value, value })),
  };
}

/** How long something lasts, in seconds; undefined for good. */
export function durationOption(description: string): Option<number | undefined> {
  const raw = text({ description, maxLength: 20 });
  return {
    ...raw,
    async read(value, context) {
      const typed = await raw.read(value, context);
      if (typed === undefined) return undefined;
      return readDuration(typed, 'Write it as "30m", "6h", "7d" or "1d 12h".');
    },
    suggest: async (typed) =>
      usualDurations
        .filter((duration) => duration.startsWith(typed.trim()))
        .map((value) => ({ name: value, value })),
  };
}

/** The channel that was given; or the only one that is linked and not suspended, or that this room follows. Else it is asked. */
export async function chooseChannel(context: CommandContext, given: string | undefined): Promise<string> {
  if (given !== undefined) return readChannelId(given);
  const linked = await listLinkedChannels(context, context.actor.guildId);
  if (linked.length === 0) throw notLinked();
  const clear = await findClearChannel(context, linked);
  if (clear !== undefined) return clear;
  const held = await suggestedChannels(context);
  throw askWhich(held.length > 0 ? held : linked);
}

/** The channel that was given, or the only one that is linked, suspended or not. Else it is asked. */
export async function chooseLink(context: CommandContext, given: string | undefined): Promise<string> {
  if (given !== undefined) return readChannelId(given);
  const linked = await listLinkedChannels(context, context.actor.guildId);
  const [only, another] = linked;
  if (only === undefined) throw notLinked();
  if (another === undefined) return only;
  throw askWhich(linked);
}

function askWhich(channelIds: readonly string[]): ChoiceNeeded {
  return new ChoiceNeeded(
    "Which channel?",
    channelIds.map((id) => ({ label: `/${id}`, raw: { channel: id } })),
    `This server is linked to several channels (${channelIds.join(", ")}). Say which with the channel option.`,
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
