import type { BotContext } from "../../bot-context.ts";
import { seconds } from "../../clock.ts";
import type { UnreadableEvent } from "../../contract/endpoint.ts";
import type { HubEvent } from "../../contract/hub.ts";
import { AppError } from "../../errors.ts";
import {
  followLinks,
  hubSource,
  isNews,
  markGood,
  noteFailure,
  openSource,
  toWatchedChannels,
  type Source,
} from "../sources.ts";
import { castEvent, indexCasts, removeCasts } from "./index-casts.ts";
import { readPage } from "./read-page.ts";
import { storePage, type Gap } from "./store-page.ts";

/** The most that a hub gives at once. */
const pageSize = 1000;
/** After so many new events there are probably more, for a hub may give smaller pages than it is asked for. */
const worthAnother = 100;
/** One run ends after so many pages; the next one goes on. */
const mostPages = 200;
/** Of what was before a link, fewer, so that what is new never waits for what is old. */
const mostOldPages = 5;

/**
 * Reads what the hub merged since the last run. A fresh installation begins at 0 and reads all that the hub retains: that
 * fills the table of names, and is news to nobody, because nobody has linked a channel yet.
 */
export async function pollHub(context: BotContext): Promise<void> {
  await followLinks(context);
  const source = hubSource(context.settings.hubShard);
  await noteFailure(context, source, async () => {
    for (let page = 0; page < mostPages; page += 1) {
      if (!(await pollPage(context, source))) break;
    }
    await backfillCasts(context);
  });
  // Not while the hub is away: the casts that they wait for may be what it has yet to tell.
  await context.database.query
    .deleteFrom("castellan.waiting_replies")
    .where("until_ms", "<", context.clock.now())
    .execute();
}

/** One page; true when another should follow at once. */
async function pollPage(context: BotContext, name: string): Promise<boolean> {
  const source = await openSource(context.database.query, name, null);
  const readAtMs = context.clock.now();
  const unreadable: UnreadableEvent[] = [];
  const page = await context.network.hub.events(
    {
      from_event_id: source.position,
      page_size: pageSize,
      shard_index: context.settings.hubShard,
    },
    { onUnreadable: (event) => unreadable.push(event) },
  );
  // Without an id nobody can say what comes behind them.
  if (page.events.length === 0 && unreadable.length > 0) {
    throw new AppError(
      "network_failed",
      `The hub gives ${unreadable.length} events without a usable id, and nothing else: ${unreadable[0]?.reason}`,
    );
  }
  const gap = findGap(source, page.events, seconds(context.clock), context.settings.hubRetention);
  const events = page.events.filter((event) => event.id > source.position);
  const lost = events.length === 0 && (gap !== undefined || !source.anchored);
  const place = lost ? await compare(context, source) : "beyond";
  // A hub that lags, as one of several behind one address may, catches up: nothing is missing.
  if (place === "behind") return false;
  const startsOver = place === "anew";
  if (events.length === 0 && !gap && !startsOver) {
    await markGood(context, source, readAtMs);
    return false;
  }
  const behind = startsOver || events.length >= worthAnother;
  const stored = await storePage(context, source, {
    events,
    gap,
    behind,
    startsOver,
    unreadable,
  });
  return stored && behind;
}

/**
 * Where the hub's newest event lies, compared with the last one that we saw. A lower id at a later time means that the ids
 * began anew, or that this is another hub.
 */
async function compare(context: BotContext, source: Source): Promise<"behind" | "anew" | "beyond"> {
  const page = await context.network.hub.events({
    reverse: true,
    page_size: 1,
    shard_index: context.settings.hubShard,
  });
  const [newest] = page.events;
  if (!newest || newest.id >= source.position) return "beyond";
  return (newest.timestamp ?? 0) > (source.newest_at ?? 0) ? "anew" : "behind";
}

/**
 * Ids are sparse, so a jump says nothing: we ask for the last seen event again. When it is gone, or the last good poll
 * is older than what the hub keeps, events may be missing. An event that grew old while we were listening is no gap:
 * the hub dropped it, but nothing that came after it.
 */
function findGap(
  source: Source,
  events: readonly HubEvent[],
  now: number,
  retention: number,
): Gap | undefined {
  if (source.good_at_ms === null || source.position === 0) return undefined;
  const lastGood = Math.floor(source.good_at_ms / 1000);
  const silent = now - lastGood > retention;
  const gone = source.anchored && events[0]?.id !== source.position;
  const grewOld = source.newest_at !== null && source.newest_at <= now - retention;
  if (!silent && (!gone || grewOld)) return undefined;
  return {
    from: Math.min(source.newest_at ?? lastGood, now),
    until: Math.min(events[0]?.timestamp ?? now, now),
  };
}

/**
 * Indexes the casts that were in a channel before it was linked, as far back as the hub goes: without them no reply to
 * them could be placed. They are no news; only a reply that came since, and waited for one of them, is.
 */
async function backfillCasts(context: BotContext): Promise<void> {
  for (let page = 0; page < mostOldPages; page += 1) {
    if (!(await backfillPage(context))) return;
  }
}

async function backfillPage(context: BotContext): Promise<boolean> {
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
