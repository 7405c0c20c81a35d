import { decides, mayDecide } from "../../commands/review/show.ts";
import type { CommandContext } from "../discord/command-context.ts";
import { readReviews } from "../feed/render/held-reviews.ts";
import { describeReview, reviewButtons } from "../feed/render/review.ts";
import { authorize } from "../moderation/authorize.ts";
import { authorizeIn, listHeld } from "../moderation/authorize-server.ts";
import { listDecidedItems, listOpenItems, readLoad } from "../reviews/review-items.ts";
import { showNumber } from "../text/numbered.ts";
import type { PageView } from "./page-view.ts";
import { cutPage, readPosition } from "./paging.ts";
import type { Requested } from "./request-schemas.ts";

const pageSize = 25;

/** Open reviews in the channels that the person can see, oldest first, with their buttons. */
export async function readQueue(context: CommandContext, { channel, queue, after }: Requested) {
  const { database, clock, actor } = context;
  const channelIds = await authorizeToView(context, channel);
  const { guildId } = actor;
  const filter = { guildId, channelIds, queue: queue || undefined, after: readPosition(after) ?? 0 };
  const [load, found, deciding] = await Promise.all([
    readLoad(database.query, guildId, channelIds, clock.now()),
    listOpenItems(database.query, { ...filter, limit: pageSize + 1 }),
    listHeld(context, actor, ...decides),
  ]);
  const { shown, more } = cutPage(found, pageSize, ({ id }) => id);
  return {
    load,
    items: await describeItems(context, shown, deciding),
    ...more,
  };
}

/** The latest decisions in the channels that the person can see, newest first, with their buttons. */
export async function readDecided(
  context: CommandContext,
  { channel }: Requested,
): Promise<{ items: QueueItem[] }> {
  const { database, actor } = context;
  const channelIds = await authorizeToView(context, channel);
  const [found, deciding] = await Promise.all([
    listDecidedItems(database.query, actor.guildId, channelIds, pageSize),
    listHeld(context, actor, ...decides),
  ]);
  return { items: await describeItems(context, found, deciding) };
}

async function authorizeToView(context: CommandContext, channel: string | undefined): Promise<string[]> {
  if (!channel) return authorizeIn(context, context.actor, "view");
  await authorize(context, context.actor, channel, "view");
  return [channel];
}

interface QueueItem {
  number: string;
  fid: number | null;
  view: PageView;
}

async function describeItems(
  { database, clock, settings }: CommandContext,
  items: readonly { id: number; fid: number | null }[],
  deciding: ReadonlySet<string>,
): Promise<QueueItem[]> {
  const ids = items.map(({ id }) => id);
  const reviews = await readReviews(database.query, ids, clock.now());
  return items.flatMap(({ id, fid }) => {
    const review = reviews.get(id);
    if (!review) return [];
    const view = {
      embeds: [describeReview(review, settings.linkBase, mayDecide(review, deciding))],
      buttons: reviewButtons(review),
    };
    return [{ number: showNumber("review", id), fid, view }];
  });
}
