import { answer, text, type ButtonHandler, type Choice } from "../../src/discord/command.ts";
import { AppError, asAppError } from "../../src/errors.ts";
import { readChannelId } from "../shared/options.ts";
import { linkNow } from "./link-now.ts";
import { offerProofs } from "./prove.ts";
import type { CommandContext } from "../../src/discord/command-context.ts";
import { listLinks } from "../../src/moderation/channel-links.ts";
import { listOwnChannels } from "../../src/moderation/own-channels.ts";
import { toChannelChoices } from "../shared/suggestions.ts";

export const link = answer({
  description: "Link a channel that you own or moderate; needs Manage Server here",
  needs: "manage",
  options: {
    channel: text({
      description: "The channel's id, such as memes, or its link",
      required: true,
      maxLength: 100,
      suggest: suggestLinkable,
    }),
  },
  async run(context, { channel: given }) {
    const channelId = readChannelId(given);
    try {
      return await linkNow(context, channelId);
    } catch (error) {
      if (!asAppError(error, "not_proven")) throw error;
      return offerProofs(context, channelId);
    }
  },
});

/** The button under "proven", in the room where the code was requested. The clicker needs the right to link. */
export const linkButton: ButtonHandler = {
  needs: "manage",
  async click(context, [channelId = "", choice]) {
    if (choice === "link") return linkNow(context, readChannelId(channelId));
    throw new AppError("expired", "This button is from an older version. Use /channel link.");
  },
};

/** Channels that the actor could link here: their own, as far as known, and those with a suspended link. */
async function suggestLinkable(typed: string, context: CommandContext): Promise<Choice[]> {
  const { actor } = context;
  if (!actor.managesServer) return [];
  const links = await listLinks(context, actor.guildId);
  const working = new Set(links.flatMap((link) => (link.suspendedAtMs === null ? [link.channelId] : [])));
  const suspended = links.map(({ channelId }) => channelId);
  const own = await listOwnChannels(context, actor);
  const linkable = [...new Set([...suspended, ...own])].filter((channelId) => !working.has(channelId));
  return toChannelChoices(linkable.toSorted(), typed);
}
