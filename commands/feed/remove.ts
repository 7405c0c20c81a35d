import { answer, integer } from "../../src/discord/command.ts";
import { AppError } from "../../src/errors.ts";
import { listFeeds, removeFeed as dropFeed } from "../../src/feed/feeds.ts";
import { authorizeFeedRemoval } from "../../src/moderation/authorize-server.ts";
import { colors } from "../../src/text/colors.ts";

export const removeFeed = answer({
  description: "End a feed of this server",
  options: {
    number: integer({
      description: "The feed's number, from /feed list",
      required: true,
      min: 1,
      max: Number.MAX_SAFE_INTEGER,
    }),
  },
  async run(context, { number }) {
    const { guildId } = context.actor;
    const feed = (await listFeeds(context, guildId)).find(({ id }) => id === number);
    if (!feed) throw new AppError("invalid_input", `There is no feed ${number} here. /feed list shows them.`);
    await authorizeFeedRemoval(context, context.actor, feed.channelIds);
    await dropFeed(context, guildId, number);
    return {
      embeds: [{ description: `Feed ${number} of <#${feed.roomId}> has ended.`, color: colors.good }],
    };
  },
});
