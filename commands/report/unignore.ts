import { answer, person } from "../../src/discord/command.ts";
import { authorize } from "../../src/moderation/authorize.ts";
import { unignoreReporter } from "../../src/reviews/ignored-reporters.ts";
import { colors } from "../../src/text/colors.ts";
import { channelOption, chooseChannel } from "../shared/options.ts";

export const unignoreReports = answer({
  description: "Take reports of a member again that were ignored",
  needs: "hide",
  options: {
    user: person({ description: "Whose reports", required: true }),
    channel: channelOption,
  },
  async run(context, { user: userId, channel: given }) {
    const channelId = await chooseChannel(context, given);
    await authorize(context, context.actor, channelId, "hide");
    const { guildId } = context.actor;
    const was = await unignoreReporter(context.database.query, { guildId, channelId, userId });
    const description = was
      ? `Reports of <@${userId}> in /${channelId} are taken again.`
      : `Reports of <@${userId}> in /${channelId} were not ignored.`;
    return { embeds: [{ description, color: was ? colors.good : colors.plain }] };
  },
});
