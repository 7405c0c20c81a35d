import { z } from "zod";
import { confirm } from "../../src/discord/command.ts";
import { authorizeUnlink } from "../../src/moderation/authorize.ts";
import { unlinkChannel } from "../../src/moderation/link-channel.ts";
import { chooseLink, linkOption } from "../shared/options.ts";
import { textView } from "../../src/discord/view.ts";

export const unlink = confirm({
  description: "End a channel's link to this server",
  needs: { any: ["unlink", "link"] },
  options: { channel: linkOption },
  confirmLabel: "End the link",
  state: z.object({ channelId: z.string() }),
  async preview(context, { channel: given }) {
    const channelId = await chooseLink(context, given);
    await authorizeUnlink(context, context.actor, channelId);
    const lines = [
      "After this, nobody here can moderate it, its feed stops, and rules no longer run.",
      "The roles' permissions and people's proofs for it are deleted, and a lockdown or pause ends. Cases stay, what is hidden stays hidden, and timed bans still end.",
      "Nothing changes on Farcaster.",
    ];
    return {
      view: textView("warning", lines, { title: `End the link to /${channelId}?` }),
      state: { channelId },
    };
  },
  async act(context, { channelId }) {
    await authorizeUnlink(context, context.actor, channelId);
    await unlinkChannel(context, context.actor, channelId);
    return textView("good", `/${channelId} is no longer linked here.`);
  },
});
