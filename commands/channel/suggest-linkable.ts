import type { CommandContext } from "../../src/discord/command-context.ts";
import type { Suggest } from "../../src/discord/command.ts";
import { listLinks } from "../../src/moderation/channel-links.ts";
import { listOwnChannels } from "../../src/moderation/own-channels.ts";
import { toChannelChoices } from "../shared/suggestions.ts";

/** Channels that whoever types could link here: theirs as far as that is known, and those whose link is suspended. */
export const suggestLinkable: Suggest = async (typed, context) =>
  toChannelChoices(await listLinkable(context), typed);

async function listLinkable(context: CommandContext): Promise<string[]> {
  const { actor } = context;
  if (!actor.managesServer) return [];
  const links = await listLinks(context, actor.guildId);
  const working = new Set(links.flatMap((link) => (link.suspendedAtMs === null ? [link.channelId] : [])));
  const suspended = links.map(({ channelId }) => channelId);
  const own = await listOwnChannels(context, actor);
  return [...new Set([...suspended, ...own])].filter((channelId) => !working.has(channelId)).toSorted();
}
