import { z } from "zod";
import { confirm, integer } from "../../src/discord/command.ts";
import type { CommandContext } from "../../src/discord/command-context.ts";
import { removeFeed as dropFeed, type Feed } from "../../src/feed/feeds.ts";
import { authorizeFeedRemoval } from "../../src/moderation/authorize-server.ts";
import { suggestEndableFeeds } from "../shared/suggest-numbers.ts";
import { describeBacklog, describeChannels, describeKinds } from "./describe-feed.ts";
import { feedNumber, findFeed } from "./find-feed.ts";
import { textView } from "../../src/discord/view.ts";

export const removeFeed = confirm({
  description: "End a feed of this server",
  needs: { any: ["feeds", "manage"] },
  options: {
    number: integer({ ...feedNumber, suggest: suggestEndableFeeds }),
  },
  confirmLabel: "End the feed",
  state: z.object({ number: z.int() }),
  async preview(context, { number }) {
    const { feed, isLast } = await findRemovable(context, number);
    const lines = [
      `<#${feed.roomId}> will no longer get events of ${describeChannels(feed)}: ${describeKinds(feed)}.`,
      ...describeLoss(feed, isLast),
      "Posts that are already there stay.",
    ];
    return {
      view: textView("warning", lines, { title: `End feed ${number}?` }),
      state: { number },
    };
  },
  async act(context, { number }) {
    const { feed } = await findRemovable(context, number);
    const dropped = describeBacklog(
      await dropFeed(context, context.actor.guildId, number, context.actor.userId),
    );
    const lost = dropped.length === 0 ? "" : ` Dropped with it: ${dropped.join(", ")}.`;
    return textView("good", `Feed ${number} of <#${feed.roomId}> has ended.${lost}`);
  },
});

async function findRemovable(
  context: CommandContext,
  number: number,
): Promise<{ feed: Feed; isLast: boolean }> {
  const { feed, feeds } = await findFeed(context, number);
  await authorizeFeedRemoval(context, context.actor, feed.channelIds);
  const others = feeds.filter(({ id, roomId, ended }) => id !== number && roomId === feed.roomId && !ended);
  return { feed, isLast: others.length === 0 };
}

function describeLoss({ roomQueue }: Feed, isLast: boolean): string[] {
  const backlog = describeBacklog(roomQueue);
  if (backlog.length === 0) return [];
  return isLast
    ? [`It is the room's last feed, so this will never be posted: **${backlog.join(", ")}**.`]
    : [`Still to be posted to the room: ${backlog.join(", ")}.`];
}
