import type { BotContext } from "../../bot-context.ts";
import { seconds } from "../../clock.ts";
import { eventsPerBlock, messageEpoch, type HubEvent } from "../../contract/hub.ts";
import { AppError } from "../../errors.ts";
import {
  followLinks,
  hubSource,
  markGood,
  noteFailure,
  openHubSource,
  openSource,
  type Source,
} from "../sources.ts";
import { readBlocks, type Gap } from "./blocks.ts";
import { dropWaitingReplies } from "./drop-waiting-replies.ts";
import { fetchPage, isPageAtFault } from "./fetch-page.ts";
import { storePage } from "./store-page.ts";

/** After so many new events there are probably more, for a hub may give smaller pages than it is asked for. */
const worthAnother = 100;
/** One run ends after so many pages; the next one goes on. */
const mostPages = 200;

/**
 * Reads what the hub merged since the last run, shard by shard: one that cannot be read holds up no other. A fresh
 * installation begins at 0 and reads all that the hub retains: that fills the table of names, and is news to nobody, because
 * nobody has linked a channel yet.
 */
export async function pollHub(context: BotContext): Promise<void> {
  await followLinks(context);
  const shards = await context.hubShards().catch((error: unknown) => failAll(context, error));
  const failures: unknown[] = [];
  const poll = (shard: number | undefined) =>
    pollShard(context, shard, shards.length === 1).catch((error: unknown) => failures.push(error));
  await Promise.all(shards.map(poll));
  if (failures.length === shards.length) throw failures[0];
  await dropWaitingReplies(context, shards.map(hubSource));
}

/** Nobody knows the shards: the failure stands with those that were followed before, or with the hub as a whole. */
async function failAll(context: BotContext, error: unknown): Promise<never> {
  const { query } = context.database;
  const known = await query
    .selectFrom("castellan.sources")
    .select("source")
    .where("source", "like", `${hubSource(undefined)}%`)
    .execute();
  if (known.length === 0) known.push(await openSource(query, hubSource(undefined), null));
  for (const { source } of known) {
    await noteFailure(context, source, () => Promise.reject(error)).catch(() => {});
  }
  throw error;
}

async function pollShard(context: BotContext, shard: number | undefined, isOnly: boolean): Promise<void> {
  await noteFailure(context, hubSource(shard), async () => {
    for (let page = 0; page < mostPages; page += 1) {
      if (!(await pollPage(context, shard, isOnly))) break;
    }
  });
}

/** One page; true when another should follow at once. */
async function pollPage(context: BotContext, shard: number | undefined, isOnly: boolean): Promise<boolean> {
  const source = await openHubSource(context.database.query, shard, isOnly);
  const readAtMs = context.clock.now();
  const { page, unreadable, isPart, hasAnchor, skipped } = await fetchPage(context, shard, source);
  // Without an id nobody can say what comes behind them.
  if (page.length === 0 && unreadable.length > 0 && !skipped) {
    throw new AppError(
      "network_failed",
      `The hub gives ${unreadable.length} events without a usable id, and nothing else: ${unreadable[0]?.reason}`,
    );
  }
  const now = seconds(context.clock);
  const events = ascendingFrom(source.position, page);
  const isAnchorGone = hasAnchor && source.anchored && page[0]?.id !== source.position;
  const gap = findGap(context, source, events, isAnchorGone || skipped !== undefined);
  const lost = events.length === 0 && !skipped && (gap !== undefined || isAnchorGone || !source.anchored);
  const place = lost ? await compare(context, shard, source) : "beyond";
  // A hub that lags, as one of several behind one address may, catches up: nothing is missing.
  if (place === "behind") return false;
  const startsOver = place === "anew";
  if (events.length === 0 && !gap && !startsOver && !skipped) {
    await markGood(context, source, readAtMs);
    return false;
  }
  const behind = startsOver || isPart || events.length >= worthAnother;
  const stored = await storePage(context, source, {
    events,
    gap: gap ?? (startsOver ? lostAt(source, now) : undefined),
    behind,
    startsOver,
    unreadable,
    ...(skipped && events.length === 0 && { position: skipped.until }),
  });
  return stored && behind;
}

/** A page may hold events twice, or out of order: each once, in the order of ids. */
function ascendingFrom(position: number, page: readonly HubEvent[]): HubEvent[] {
  const byId = new Map(page.map((event) => [event.id, event]));
  return [...byId.values()].filter(({ id }) => id > position).toSorted((one, other) => one.id - other.id);
}

/**
 * Where the hub's newest event lies, compared with the last one that we saw. A lower id at a later time means that the ids
 * began anew, or that this is another hub.
 */
async function compare(
  context: BotContext,
  shard: number | undefined,
  source: Source,
): Promise<"behind" | "anew" | "beyond"> {
  const { hub } = context.network;
  const page = await hub
    .events({ reverse: true, page_size: 1, shard_index: shard })
    .catch(async (error: unknown) => {
      // One that the hub cannot give, which was passed over.
      if (await isPageAtFault(context, error)) return undefined;
      throw error;
    });
  const newest = page?.events[0];
  if (!newest || newest.id >= source.position) return "beyond";
  const at = newest.timestamp ?? (await readBlockTime(context, shard, newest.id));
  return at > (source.newest_at ?? 0) ? "anew" : "behind";
}

/** When the block of an event was confirmed, UNIX seconds; 0 where nobody says. */
async function readBlockTime(context: BotContext, shard: number | undefined, id: number): Promise<number> {
  const { events } = await context.network.hub.events({
    from_event_id: id - (id % eventsPerBlock),
    page_size: 1,
    shard_index: shard,
  });
  const confirmed = events[0]?.blockConfirmedBody;
  return confirmed ? confirmed.timestamp + messageEpoch : 0;
}

/** Where ids begin anew, what came in between is unknown; one that was read to no event has been told of before. */
function lostAt({ anchored, newest_at }: Source, now: number): Gap | undefined {
  return anchored ? { from: Math.min(newest_at ?? now, now), until: now } : undefined;
}

/**
 * Blocks that do not follow each other show a gap exactly. Where a hub names none, ids are sparse, so a jump says nothing: we
 * ask for the last seen event again, and when it is gone, or the last good poll is older than what the hub keeps, events may
 * be missing. An event that grew old while we were listening is no gap: the hub dropped it, but nothing that came after it.
 */
function findGap(
  { clock, settings }: BotContext,
  source: Source,
  events: readonly HubEvent[],
  isSomeMissing: boolean,
): Gap | undefined {
  if (source.good_at_ms === null || source.position === 0) return undefined;
  const now = seconds(clock);
  const blocks = readBlocks(source, events, now);
  if (source.block_left !== null) return blocks.gap;
  const lastGood = Math.floor(source.good_at_ms / 1000);
  const silent = now - lastGood > settings.hubRetention;
  const grewOld = source.newest_at !== null && source.newest_at <= now - settings.hubRetention;
  if (!silent && (!isSomeMissing || grewOld)) return undefined;
  const until = events.length > 0 ? (blocks.times[0] ?? now) : now;
  return { from: Math.min(source.newest_at ?? lastGood, now), until: Math.min(until, now) };
}
