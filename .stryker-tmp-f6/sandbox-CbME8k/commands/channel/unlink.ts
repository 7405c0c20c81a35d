// @ts-nocheck
import { z } from "zod";
import { confirm } from "../../src/discord/command.ts";
import { colors } from "../../src/discord/view.ts";
import { unlinkChannel } from "../../src/moderation/links.ts";
import { openChannel } from "../../src/moderation/open-channel.ts";
import { chooseChannel } from "../shared/choose-channel.ts";
import { channelOption } from "../shared/options.ts";

export const unlink = confirm({
  description: "End the link of a channel to this server",
  options: { channel: channelOption },
  confirmLabel: "End the link",
  state: z.object({ channelId: z.string() }),
  async preview(context, { channel: given }) {
    const channelId = await chooseChannel(context, given);
    await openChannel(context, context.asker, channelId, "link");
    const lines = [
      "Nobody here can act on it any more, its feed falls silent and rules stop.",
      "What roles were allowed to do is forgotten. Cases stay, and timed bans still end.",
      "Nothing changes on the network itself.",
    ];
    return {
      view: {
        embeds: [
          { title: `End the link to /${channelId}?`, description: lines.join("\n"), color: colors.warning },
        ],
      },
      state: { channelId },
    };
  },
  async act(context, { channelId }) {
    await openChannel(context, context.asker, channelId, "link");
    await unlinkChannel(context, context.asker.guildId, channelId);
    return { embeds: [{ description: `/${channelId} is no longer linked here.`, color: colors.good }] };
  },
});
