import { z } from "zod";
import { confirm, text, type ButtonHandler, type Choice } from "../../src/discord/command.ts";
import { textView } from "../../src/discord/view.ts";
import { AppError, asAppError } from "../../src/errors.ts";
import { readChannelId } from "../shared/options.ts";
import { linkNow } from "./link-now.ts";
import { offerProofs } from "./prove.ts";
import type { CommandContext } from "../../src/discord/command-context.ts";
import { listLinks } from "../../src/moderation/channel-links.ts";
import { proveBySignature } from "../../src/moderation/proofs/prove-by-signature.ts";
import { listOwnChannels } from "../../src/moderation/own-channels.ts";
import { toChannelChoices } from "../shared/suggestions.ts";

export const link = confirm({
  description: "Link a channel that you own or moderate; needs Manage Server here",
  needs: "manage",
  options: {
    channel: text({
      description: "The channel's id, such as memes, or its link",
      required: true,
      maxLength: 100,
      suggest: suggestLinkable,
    }),
    signature: text({ description: "Of the text to sign that you get without this", maxLength: 4000 }),
  },
  confirmLabel: "Link it",
  state: z.object({ channelId: z.string() }),
  async preview(context, { channel: given, signature }) {
    const channelId = readChannelId(given);
    if (signature !== undefined) {
      const fid = await proveBySignature(context, context.actor, channelId, signature);
      const description = `Proven: you are fid ${fid}, who owns or moderates /${channelId}. Link it to this server now?`;
      return { view: textView("good", description), state: { channelId } };
    }
    try {
      return { view: await linkNow(context, channelId) };
    } catch (error) {
      if (!asAppError(error, "not_proven")) throw error;
      return { view: await offerProofs(context, channelId) };
    }
  },
  act: (context, { channelId }) => linkNow(context, channelId),
});

/** The button under "proven", in the room where the code was requested. The clicker needs the right to link. */
export const linkButton: ButtonHandler = {
  needs: "manage",
  async click(context, [channelId = "", choice]) {
    if (choice === "link") return linkNow(context, readChannelId(channelId));
    throw new AppError("expired", "This button is from an older version. Use /setup link.");
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
