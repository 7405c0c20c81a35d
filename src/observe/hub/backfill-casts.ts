import { seconds } from "../../clock.ts";
import type { ObserveContext } from "../append-events.ts";
import { hubSource } from "../source.ts";
import { isNews, toWatchedChannels } from "../watched-channels.ts";
import { castEvent, indexCasts, removeCasts } from "./index-casts.ts";
import { readPage } from "./read-page.ts";

const pageSize = 1000;
/** At most so many in one run, so that what is new never waits for what is old. */
const mostPages = 5;

/**
 * Indexes the casts that were in a channel before it was linked, as far back as the hub goes: without them no reply to
 * them could be placed. They are no news; only a reply that came since, and waited for one of them, is.
 */
export async function backfillCasts(context: ObserveContext): Promise<void> {
  for (let page = 0; page < mostPages; page += 1) {
    if (!(await backfillPage(context))) return;
  }
}

async function backfillPage(context: ObserveContext): Promise<boolean> {
  const pending = await context.database.query
    .selectFrom("castellan.watched_channels")
    .selectAll()
    .where("backfill_from", "is not", null)
    .orderBy("backfill_from")
    .orderBy("channel_id")
    .execute();
  const from = pending[0]?.backfill_from ?? null;
  if (from === null) return false;
  // Channels that were linked at different times go over the same events each for itself, until they meet.
  const channels = pending.filter((channel) => channel.backfill_from === from);
  const until = Math.max(...channels.map((channel) => channel.backfill_until));
  const shard = context.settings.hubShard;
  const page = await context.network.hub.events({
    from_event_id: from,
    page_size: pageSize,
    shard_index: shard,
  });
  const last = page.events.at(-1)?.id ?? until;
  const content = readPage(hubSource(shard), page.events, seconds(context.clock));
  await context.database.transaction(async (tx) => {
    // As followLinks does: a page under way must see what is indexed here, or be seen.
    await tx
      .selectFrom("castellan.sources")
      .select("source")
      .where("source", "=", hubSource(shard))
      .forUpdate()
      .execute();
    const moved = await tx
      .updateTable("castellan.watched_channels")
      .set({ backfill_from: last >= until ? null : last + 1 })
      .where("backfill_from", "=", from)
      .where(
        "channel_id",
        "in",
        channels.map((channel) => channel.channel_id),
      )
      .returning(["channel_id", "url", "since_ms"])
      .execute();
    const watched = toWatchedChannels(moved);
    const { indexed } = await indexCasts(tx, content.casts, watched);
    await removeCasts(tx, content.removals);
    const news = indexed.filter((cast) => cast.waited && isNews(watched, cast.channelId, cast.mergedAt));
    await context.appendEvents(
      tx,
      news.map((cast) => castEvent(cast, context.clock.now())),
    );
  });
  return true;
}
