import type { BotContext } from "../../bot-context.ts";
import { seconds } from "../../clock.ts";
import type { UnreadableEvent } from "../../contract/endpoint.ts";
import { eventsPerBlock, messageEpoch, type HubEvent } from "../../contract/hub.ts";
import { AppError } from "../../errors.ts";
import type { Source } from "../sources.ts";
import { readBlocks, type Gap } from "./blocks.ts";
import { classifyHubError } from "./classify-hub-error.ts";
import { fetchEvents, notReturned, type FetchedEvents } from "./fetch-events.ts";
import { assertNotStalled } from "./hub-stalled.ts";

/** The events after the position of a shard's source, ready to store. */
export interface HubPage {
  /** Ascending, unique, all after the source's position. */
  events: readonly HubEvent[];
  unreadable: readonly UnreadableEvent[];
  gap: Gap | undefined;
  /** Where the next page begins if not after the last event, which must then still exist. */
  next?: Partial<Pick<Source, "position" | "block_left" | "anchored">>;
  /** One of this many following events is the one that the hub fails to return; null if that is unknown. */
  unreadableWithin: number | null;
  /** More events are expected at once. */
  behind: boolean;
}

/** This many new events suggest that there are more, because a hub may return smaller pages than requested. */
const minFullPage = 100;
/** After this long without a successful read, the hub's blocks are checked for changes. */
const longSilenceMs = 30_000;
/** Hubs that date each event may report another time than the block's. */
const blockToleranceSeconds = 2;

/**
 * Reads the page after the source's position. "lagging": one of several hubs behind one address has less than another has
 * returned; it catches up, and nothing is missing. Throws the hub's error, and an error if the hub has stalled.
 */
export async function readHubPage(
  context: BotContext,
  shard: number | undefined,
  source: Source,
): Promise<HubPage | "nothing new" | "lagging"> {
  if (await isOtherChain(context, shard, source)) return resetPage(context, source);
  const fetched = await fetchEvents(context, shard, source);
  const page =
    "failingId" in fetched
      ? skipEvent(context, source, fetched.failingId)
      : await compareWithPosition(context, shard, source, fetched);
  if (page === "nothing new" || page === "lagging") await assertNotStalled(context, shard, source);
  return page;
}

/**
 * Whether the last block that was read has changed. A network whose heights restarted at 1 may have reached that height
 * again during a long silence. Its events would then follow the position as if none were missing.
 */
async function isOtherChain(
  context: BotContext,
  shard: number | undefined,
  { position, block_left, newest_at, succeeded_at_ms }: Source,
): Promise<boolean> {
  if (block_left === null || newest_at === null || succeeded_at_ms === null) return false;
  if (context.clock.now() - succeeded_at_ms < longSilenceMs) return false;
  const at = await readBlockTime(context, shard, position).catch(async (error: unknown) => {
    // A hub that cannot serialize the block tells us nothing about it. A hub that is down is retried before reading.
    if ((await classifyHubError(context, error)) !== "page") throw error;
    return 0;
  });
  return at !== 0 && Math.abs(at - newest_at) > blockToleranceSeconds;
}

/** The next event, which the hub fails to return, is skipped. */
function skipEvent({ clock, log }: BotContext, source: Source, id: number): HubPage {
  const { position, block_left, newest_at } = source;
  log.warn({ source: source.source, id }, "skipping an event the hub failed to return");
  const now = seconds(clock);
  const isSameBlock = Math.floor(id / eventsPerBlock) === Math.floor(position / eventsPerBlock);
  const blockLeft = isSameBlock && block_left !== null && block_left > 0 ? block_left - 1 : null;
  const from = Math.min(newest_at ?? now, now);
  return {
    events: [],
    unreadable: [{ id, type: "", reason: notReturned }],
    gap: { from, until: isSameBlock ? from : now },
    next: { position: id, block_left: blockLeft },
    unreadableWithin: null,
    behind: true,
  };
}

/** The hub's ids began again, or it is another hub: read it from its beginning. Known events are not announced again. */
function resetPage(context: BotContext, source: Source, gap = gapOfReset(context, source)): HubPage {
  const next = { position: 0, block_left: null };
  return { events: [], unreadable: [], gap, next, unreadableWithin: null, behind: true };
}

/** Everything since the newest event may be missing; a source that begins at 0 has already announced that. */
function gapOfReset({ clock }: BotContext, { position, newest_at }: Source): Gap | undefined {
  const now = seconds(clock);
  return position > 0 ? { from: Math.min(newest_at ?? now, now), until: now } : undefined;
}

async function compareWithPosition(
  context: BotContext,
  shard: number | undefined,
  source: Source,
  { unreadable, hasAnchor, unreadableWithin, ...fetched }: FetchedEvents,
): Promise<HubPage | "nothing new" | "lagging"> {
  // Without an id, the order of later events is unknown.
  if (fetched.events.length === 0 && unreadable.length > 0) {
    throw new AppError(
      "network_failed",
      `The hub returned only events without a usable id (${unreadable.length}). The first: ${unreadable[0]?.reason}`,
    );
  }
  const events = ascendingFrom(source.position, fetched.events);
  const isAnchorGone = hasAnchor && source.anchored && fetched.events[0]?.id !== source.position;
  const gap = findGap(context, source, events, isAnchorGone);
  if (events.length === 0 && (gap !== undefined || isAnchorGone || !source.anchored)) {
    const newest = await findNewest(context, shard, source);
    if (newest === "behind") return "lagging";
    if (newest === "reset") return resetPage(context, source, gap);
  }
  if (events.length === 0 && !gap) return "nothing new";
  return {
    events,
    unreadable,
    gap,
    // An event that had to be requested alone fails in every page, even one that begins with it.
    ...(!hasAnchor && { next: { anchored: false } }),
    unreadableWithin,
    behind: unreadableWithin !== null || !hasAnchor || events.length >= minFullPage,
  };
}

/** A page may contain events twice or out of order. */
function ascendingFrom(position: number, page: readonly HubEvent[]): HubEvent[] {
  const byId = new Map(page.map((event) => [event.id, event]));
  return [...byId.values()].filter(({ id }) => id > position).toSorted((one, other) => one.id - other.id);
}

/**
 * The hub's newest event compared with the source. A lower id at a later time means that the ids began again, or that this
 * is another hub.
 */
async function findNewest(
  context: BotContext,
  shard: number | undefined,
  source: Source,
): Promise<"behind" | "reset" | "beyond"> {
  const { hub } = context.network;
  let newest: HubEvent | undefined;
  try {
    [newest] = (await hub.events({ reverse: true, page_size: 1, shard_index: shard })).events;
  } catch (error) {
    // The hub fails to return its newest event. If it was reset, that shows when there is another event.
    if ((await classifyHubError(context, error)) === "page") return "beyond";
    throw error;
  }
  if (!newest || newest.id >= source.position) return "beyond";
  const at = newest.timestamp ?? (await readBlockTime(context, shard, newest.id));
  return at > (source.newest_at ?? 0) ? "reset" : "behind";
}

/** When an event's block was confirmed, in UNIX seconds; 0 if the hub does not report it. */
async function readBlockTime(context: BotContext, shard: number | undefined, id: number): Promise<number> {
  const first = id - (id % eventsPerBlock);
  const { events } = await context.network.hub.events({
    from_event_id: first,
    page_size: 1,
    shard_index: shard,
  });
  const confirmed = events[0]?.id === first ? events[0].blockConfirmedBody : undefined;
  return confirmed ? confirmed.timestamp + messageEpoch : 0;
}

/**
 * Blocks that do not follow each other show a gap exactly. If a hub reports no blocks, ids are sparse, so a jump proves
 * nothing. There the last event is requested again: if it is gone, or the last good poll is older than the hub's
 * retention, events may be missing. An event that expired during the read is not a gap: nothing later was dropped.
 */
function findGap(
  { clock, settings }: BotContext,
  source: Source,
  events: readonly HubEvent[],
  isAnchorGone: boolean,
): Gap | undefined {
  if (source.succeeded_at_ms === null || source.position === 0) return undefined;
  const now = seconds(clock);
  const blocks = readBlocks(source, events, now);
  const next = blocks.times[0];
  if (source.block_left !== null) {
    // Blocks that continue much later from a missing one may belong to restarted heights.
    const isOther = isAnchorGone && isMuchLater(settings.hubStalledAfter, source.newest_at, next);
    return blocks.gap ?? (isOther ? { from: source.newest_at ?? now, until: next ?? now } : undefined);
  }
  const lastGood = Math.floor(source.succeeded_at_ms / 1000);
  const silent = now - lastGood > settings.hubRetention;
  const grewOld = source.newest_at !== null && source.newest_at <= now - settings.hubRetention;
  if (!silent && (!isAnchorGone || grewOld)) return undefined;
  const until = events.length > 0 ? (next ?? now) : now;
  return { from: Math.min(source.newest_at ?? lastGood, now), until: Math.min(until, now) };
}

/** Whether a block was confirmed later than a shard's usual interval; UNIX seconds. */
function isMuchLater(
  stalledAfter: number | undefined,
  before: number | null,
  next: number | undefined,
): boolean {
  return stalledAfter !== undefined && before !== null && next !== undefined && next - before > stalledAfter;
}
