import { answer, person } from "../../src/discord/command.ts";
import { unignoreReporter } from "../../src/reviews/ignored-reporters.ts";
import { channelOption, chooseChannelFor } from "../shared/options.ts";
import { textView } from "../../src/discord/view.ts";

export const unignoreReports = answer({
  description: "Take reports of a member again that were ignored",
  needs: "hide",
  options: {
    user: person({ description: "Whose reports", required: true }),
    channel: channelOption,
  },
  async run(context, { user: userId, channel: given }) {
    const channelId = await chooseChannelFor(context, given, "hide");
    const { guildId } = context.actor;
    const was = await unignoreReporter(context.database.query, { guildId, channelId, userId });
    const description = was
      ? `Reports of <@${userId}> in /${channelId} are taken again.`
      : `Reports of <@${userId}> in /${channelId} were not ignored.`;
    return textView(was ? "good" : "plain", description);
  },
});
