import { answer, person } from "../../src/discord/command.ts";
import { maxListText } from "../../src/limits/discord-limits.ts";
import { authorize } from "../../src/moderation/authorize.ts";
import { ignoreReporter, listIgnored } from "../../src/reviews/ignored-reporters.ts";
import { colors } from "../../src/text/colors.ts";
import { describeTime, fitLinesOrCount } from "../../src/text/message-text.ts";
import { channelOption, chooseChannel } from "../shared/options.ts";

export const ignoreReports = answer({
  description: "Take no more reports of a member in a channel; without a user, list whose are ignored",
  needs: "hide",
  options: {
    user: person({ description: "Whose reports; what they reported before stays" }),
    channel: channelOption,
  },
  async run(context, { user: userId, channel: given }) {
    const channelId = await chooseChannel(context, given);
    await authorize(context, context.actor, channelId, "hide");
    const { guildId, userId: byUser } = context.actor;
    if (userId === undefined) {
      const ignored = await listIgnored(context.database.query, guildId, channelId);
      const lines = ignored.map(
        (one) => `<@${one.user_id}> · by <@${one.ignored_by}> ${describeTime(one.ignored_at_ms / 1000)}`,
      );
      const description =
        lines.length === 0 ? "Nobody: every member may report." : fitLinesOrCount(lines, maxListText);
      return {
        embeds: [{ title: `Ignored reporters in /${channelId}`, description, color: colors.plain }],
      };
    }
    const isNew = await ignoreReporter(context, { guildId, channelId, userId }, byUser);
    const description = isNew
      ? `Reports of <@${userId}> in /${channelId} are not taken any more; they are told so when they try. /report heed takes them again.`
      : `Reports of <@${userId}> in /${channelId} are ignored already.`;
    return { embeds: [{ description, color: isNew ? colors.good : colors.plain }] };
  },
});
