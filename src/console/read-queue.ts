import { decides, mayDecide } from "../../commands/review/show.ts";
import type { CommandContext } from "../discord/command-context.ts";
import { readReviews } from "../feed/render/held-reviews.ts";
import { describeReview, reviewButtons } from "../feed/render/review.ts";
import { authorize } from "../moderation/authorize.ts";
import { authorizeIn, listHeld } from "../moderation/authorize-server.ts";
import { listOpenItems, readLoad } from "../reviews/review-items.ts";
import { showNumber } from "../text/numbered.ts";
import { readCursor } from "./run-button.ts";

const pageSize = 25;

/** Open reviews in the channels that the person can see, oldest first, with their buttons. */
export async function readQueue(context: CommandContext, asked: Readonly<Record<string, string>>) {
  const { database, clock, actor, settings } = context;
  const { channel, queue, after } = asked;
  if (channel) await authorize(context, actor, channel, "view");
  const channelIds = channel ? [channel] : await authorizeIn(context, actor, "view");
  const { guildId } = actor;
  const filter = { guildId, channelIds, queue: queue || undefined, after: Number(readCursor(after) ?? 0) };
  const [load, found, deciding] = await Promise.all([
    readLoad(database.query, guildId, channelIds, clock.now()),
    listOpenItems(database.query, { ...filter, limit: pageSize + 1 }),
    listHeld(context, actor, ...decides),
  ]);
  const shown = found.slice(0, pageSize);
  const ids = shown.map(({ id }) => id);
  const reviews = await readReviews(database.query, ids, clock.now());
  return {
    load,
    items: shown.flatMap(({ id, fid }) => {
      const review = reviews.get(id);
      if (!review) return [];
      const view = {
        embeds: [describeReview(review, settings.linkBase, mayDecide(review, deciding))],
        buttons: reviewButtons(review),
      };
      return [{ number: showNumber("review", id), fid, view }];
    }),
    ...(found.length > pageSize && { next: String(ids.at(-1)) }),
  };
}
