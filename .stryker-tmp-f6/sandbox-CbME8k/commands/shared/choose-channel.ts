// @ts-nocheck
import { AppError } from "../../src/errors.ts";
import type { CommandContext } from "../../src/discord/command.ts";
import { listFeeds } from "../../src/feed/feeds.ts";
import { listLinkedChannels } from "../../src/moderation/links.ts";

/** The channel that was given; or the only one that the server is linked to, or that this room follows. */
export async function chooseChannel(context: CommandContext, given: string | undefined): Promise<string> {
  if (given !== undefined) return readChannelId(given);
  const { guildId, roomId } = context.asker;
  const linked = await listLinkedChannels(context, guildId);
  if (linked.length === 0) {
    throw new AppError(
      "not_linked",
      "This server is linked to no channel yet. An owner or moderator of a channel links it with /channel link.",
    );
  }
  const [first = "", second] = linked;
  if (second === undefined) return first;
  const feeds = (await listFeeds(context, guildId)).filter((feed) => feed.roomId === roomId);
  const [followed, another] = new Set(feeds.flatMap((feed) => feed.channelIds ?? linked));
  if (followed !== undefined && another === undefined) return followed;
  throw new AppError(
    "invalid_input",
    `This server is linked to several channels (${linked.join(", ")}). Say which with the channel option.`,
  );
}

/** "memes" from "memes", "/memes" or a channel's link. */
export function readChannelId(text: string): string {
  const id = /([^/]+)\/?$/.exec(text.trim())?.[1]?.toLowerCase() ?? "";
  if (/^[0-9a-z][0-9a-z-]{0,15}$/.test(id)) return id;
  throw new AppError("invalid_input", "That is no channel: give its id, such as memes.");
}
