import type { CommandContext } from "../../src/discord/command-context.ts";
import { AppError } from "../../src/errors.ts";
import { suggestFeeds } from "../shared/suggest-numbers.ts";
import { listFeeds, type Feed } from "../../src/feed/feeds.ts";

/** The option by which a feed is named. */
export const feedNumber = {
  description: "The feed's number, from /feed show",
  required: true,
  min: 1,
  max: Number.MAX_SAFE_INTEGER,
  suggest: suggestFeeds,
} as const;

/** One of this server's feeds (including ended ones with events left to post), and all of them. Throws `invalid_input`. */
export async function findFeed(
  context: CommandContext,
  number: number,
): Promise<{ feed: Feed; feeds: Feed[] }> {
  const feeds = await listFeeds(context, context.actor.guildId);
  const feed = feeds.find(({ id }) => id === number);
  if (feed) return { feed, feeds };
  throw noSuchFeed(number);
}

/** A feed that has not ended. */
export async function findRunningFeed(
  context: CommandContext,
  number: number,
): Promise<{ feed: Feed; feeds: Feed[] }> {
  const found = await findFeed(context, number);
  if (!found.feed.ended) return found;
  throw noSuchFeed(number);
}

function noSuchFeed(number: number): AppError {
  return new AppError("invalid_input", `There is no feed ${number} here. /feed show shows them.`);
}
