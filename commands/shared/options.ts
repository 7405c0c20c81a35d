import { ChannelId } from "../../src/contract/values.ts";
import type { CommandContext } from "../../src/discord/command-context.ts";
import { ChoiceNeeded } from "../../src/discord/choices.ts";
import { oneOf, parsed, text, type Option, type Suggest } from "../../src/discord/command.ts";
import { AppError } from "../../src/errors.ts";
import { languageCodes, languageNames, type Language } from "../../src/languages/languages.ts";
import { TranslatedError } from "../../src/languages/translated-error.ts";
import {
  authorize,
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
import { minBanSeconds, permanent } from "../../src/limits/ban-lengths.ts";
import { parseDuration, whyNoDuration } from "../../src/text/duration.ts";
import { readNumber, type Numbered } from "../../src/text/numbered.ts";
import { findTimeZone } from "../../src/moderation/time-zones.ts";
import { readSince } from "../../src/text/since.ts";
import {
  findClearChannel,
  suggestChannels,
  suggestedChannels,
  suggestReasons,
  suggestUsersFor,
  toChannelChoices,
} from "./suggestions.ts";

/** A user by fid, @name or profile link; the command's action determines who is suggested. */
export function userOption(description: string): Option<User> {
  const suggest = suggestUsersFor("any");
  return parsed({ description, required: true, maxLength: 200, suggest }, (typed, context) =>
    findUser(context, typed),
  );
}

/** The same where it may be left out. */
export function optionalUser(description: string, purpose?: UserPurpose): Option<User | undefined> {
  const suggest = purpose && suggestUsersFor(purpose);
  return parsed({ description, maxLength: 200, suggest }, (typed, context) => findUser(context, typed));
}

/** A cast by hash or link. */
export function castOption(description: string, suggest: Suggest): Option<FoundCast> {
  return parsed({ description, required: true, maxLength: 300, suggest }, (typed, context) =>
    findCast(context, typed),
  );
}

/** The same where it may be left out. */
export function optionalCast(description: string, suggest: Suggest): Option<FoundCast | undefined> {
  return parsed({ description, maxLength: 300, suggest }, (typed, context) => findCast(context, typed));
}

/** The number of a case, bulk, event or review, as people write it: "C-12", "#12", "12". */
export function numberOption(of: Numbered, description: string, suggest?: Suggest): Option<number> {
  return parsed({ description, required: true, maxLength: 30, suggest }, (typed) => readNumber(of, typed));
}

/** The same where it may be left out. */
export function optionalNumber(
  of: Numbered,
  description: string,
  suggest?: Suggest,
): Option<number | undefined> {
  return parsed({ description, maxLength: 30, suggest }, (typed) => readNumber(of, typed));
}

/** A moment of the past, in UNIX seconds; read in the server's time zone. */
export function sinceOption(description: string): Option<number | undefined> {
  return parsed({ description, maxLength: 40 }, async (typed, { actor, clock, database }) => {
    const zone = await findTimeZone(database.query, actor.guildId);
    return readSince(typed, Math.floor(clock.now() / 1000), zone);
  });
}

/** Why; the server's saved reasons are offered. */
export function reasonOption(
  description: string,
  { maxLength = 500 }: { maxLength?: number } = {},
): Option<string | undefined> {
  return text({ description, maxLength, suggest: suggestReasons });
}

/** A language of Castellan's texts, offered by its own name. */
export function languageOption(description: string): Option<Language | undefined> {
  return {
    ...oneOf(languageCodes, { description }),
    choices: languageCodes.map((value) => ({ name: languageNames[value], value })),
  };
}

/** A linked channel; may be left out if it is clear which (`chooseChannel`). */
export const channelOption: Option<string | undefined> = text({
  description: "Channel, if this server is linked to several",
  maxLength: 40,
  suggest: suggestChannels,
});

/** The same for ending a link; includes suspended ones. */
export const linkOption: Option<string | undefined> = text({
  description: "Channel, if this server is linked to several",
  maxLength: 40,
  suggest: async (typed, context) => toChannelChoices(await listUnlinkable(context, context.actor), typed),
});

const usualDurations = ["1h", "6h", "1d", "3d", "7d", "30d"];
const banLengths = [...usualDurations, permanent];

/** Throws `invalid_input` if a ban is too short. */
function requireBanLength(seconds: number): number {
  if (seconds >= minBanSeconds) return seconds;
  throw new AppError(
    "invalid_input",
    "Too short. A ban lasts at least 1 minute. </ban> with `restrict` lifts it at once.",
  );
}

/** Seconds of a typed duration; `ways` explains how to write one. Throws `invalid_input`. */
export function readDuration(typed: string, ways: string): number {
  const seconds = parseDuration(typed);
  if (seconds !== undefined) return seconds;
  throw new AppError(
    "invalid_input",
    ["Not a duration.", whyNoDuration(typed), ways].filter(Boolean).join(" "),
  );
}

/** Includes every duration as Castellan writes it: "364 days 23 hours 59 minutes 59 seconds". */
export const maxWritten = 50;

const permanentBan = /^(for ?ever|for good|permanent(ly)?|never)$/i;

/** How long a ban lasts, in seconds: null for a permanent one. Throws `invalid_input`. */
export function readBanLength(typed: string): number | null {
  if (permanentBan.test(typed.trim())) return null;
  return requireBanLength(readDuration(typed, 'Write it as "6h", "7d" or "1d 12h", or "permanent".'));
}

/** The same as an option; undefined if left out. */
export function banLengthOption(description: string): Option<number | null | undefined> {
  return parsed({ description, maxLength: maxWritten, suggest: offering(banLengths) }, readBanLength);
}

/** How long something lasts, in seconds; undefined means permanently. */
export function durationOption(description: string): Option<number | undefined> {
  return parsed({ description, maxLength: maxWritten, suggest: offering(usualDurations) }, (typed) =>
    readDuration(typed, 'Write it as "30m", "6h", "7d" or "1d 12h".'),
  );
}

/** Suggests fixed texts that begin with the typed text. */
export function offering(texts: readonly string[]): Suggest {
  return async (typed) =>
    texts.filter((one) => one.startsWith(typed.trim())).map((value) => ({ name: value, value }));
}

/** The given channel, the only one that is linked and not suspended, or the one that this room follows; otherwise asks. */
export async function chooseChannel(context: CommandContext, given: string | undefined): Promise<string> {
  if (given !== undefined) return readChannelId(given);
  const linked = await listLinkedChannels(context, context.actor.guildId);
  if (linked.length === 0) throw notLinked();
  const clear = await findClearChannel(context, linked);
  if (clear !== undefined) return clear;
  const held = await suggestedChannels(context);
  throw askWhich(held.length > 0 ? held : linked);
}

/** The same for an action that takes a capability there. Also throws as `authorize` does. */
export async function chooseChannelFor(
  context: CommandContext,
  given: string | undefined,
  capability: Capability,
): Promise<string> {
  const channelId = await chooseChannel(context, given);
  await authorize(context, context.actor, channelId, capability);
  return channelId;
}

/** The given channel, or the only one that is linked, suspended or not; otherwise asks. */
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
    `This server is linked to several channels (${channelIds.join(", ")}). Choose one with the channel option.`,
  );
}

/** Makes sure that the actor may do this to a cast in the given channel, or in the cast's channel. */
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
  throw new TranslatedError("invalid_input", (texts) => texts.typed.notAChannel);
}
