import type { CommandContext } from "../../src/discord/command-context.ts";
import { AppError } from "../../src/errors.ts";
import { listFeeds } from "../../src/feed/feeds.ts";
import { authorizeAction, type AuthorizedAction } from "../../src/moderation/authorize.ts";
import type { Capability } from "../../src/moderation/capabilities.ts";
import { requireCastIn, type FoundCast } from "../../src/moderation/find-cast.ts";
import { listLinkedChannels } from "../../src/moderation/links.ts";
import { notLinked } from "../../src/moderation/capabilities.ts";

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
  if (/^[0-9a-z][0-9a-z-]{0,15}$/.test(id)) return id;
  throw new AppError("invalid_input", "Not a channel. Give its id, such as memes, or its link.");
}
