import type { BotContext } from "../../bot-context.ts";
import { seconds } from "../../clock.ts";
import type { UnreadableEvent } from "../../contract/endpoint.ts";
import { eventsPerBlock, messageEpoch, type HubEvent } from "../../contract/hub.ts";
import { AppError } from "../../errors.ts";
import type { Source } from "../sources.ts";
import { blame } from "./blame.ts";
import { readBlocks, type Gap } from "./blocks.ts";
import { fetchPage, type Answer, type Fetched } from "./fetch-page.ts";
import { requireMotion } from "./standstill.ts";

/** What one page says of how a shard goes on behind the position that was read. */
export type Reading =
  | { kind: "nothing new" }
  /** The hub, one of several behind one address, has less than another has shown: it catches up, nothing is missing. */
  | { kind: "lags" }
  | {
      kind: "page";
      /** Ascending, each once. */
      events: readonly HubEvent[];
      unreadable: readonly UnreadableEvent[];
      gap: Gap | undefined;
      /** As in `Fetched`. */
      within: number | null;
      hasAnchor: boolean;
    }
  /** This event, the next one, cannot be given. `blockLeft`: as in the source. */
  | { kind: "passed over"; id: number; blockLeft: number | null; gap: Gap }
  /** The hub's ids begin anew, or it is another hub. */
  | { kind: "begins anew"; gap: Gap | undefined };

/**
 * Asks for what comes behind the source's position, unless the answer is there already (`early`). Throws what the hub's refusal
 * amounts to, and where it stands still.
 */
export async function readOn(
  context: BotContext,
  shard: number | undefined,
  source: Source,
  early?: Answer,
): Promise<Reading> {
  if (await isAnotherChain(context, shard, source)) {
    return { kind: "begins anew", gap: lostAt(source, seconds(context.clock)) };
  }
  const fetched = await fetchPage(context, shard, source, early);
  const reading =
    fetched.kind === "page"
      ? await compareWithPosition(context, shard, source, fetched)
      : passOver(context, source, fetched.id);
  if (reading.kind === "nothing new" || reading.kind === "lags") await requireMotion(context, shard, source);
  return reading;
}

/** Milliseconds without a good reading after which it is asked whether the hub's blocks are the same still. */
const longAway = 30_000;
/** Seconds: hubs that name the time of each event may name another than the block's. */
const blocksDiffer = 2;

/**
 * Whether the block that was read last is another by now: a network whose heights began anew while nobody looked may have
 * reached that height again, and its events would follow on as if none were missing.
 */
async function isAnotherChain(
  context: BotContext,
  shard: number | undefined,
  { position, block_left, newest_at, good_at_ms }: Source,
): Promise<boolean> {
  if (block_left === null || newest_at === null || good_at_ms === null) return false;
  if (context.clock.now() - good_at_ms < longAway) return false;
  const at = await readBlockTime(context, shard, position).catch(async (error: unknown) => {
    // A hub that cannot write the block out says nothing of it; one that is away is asked again before anything is read.
    if ((await blame(context, error)) !== "page") throw error;
    return 0;
  });
  return at !== 0 && Math.abs(at - newest_at) > blocksDiffer;
}

function passOver({ clock }: BotContext, { position, block_left, newest_at }: Source, id: number): Reading {
  const now = seconds(clock);
  const isSameBlock = Math.floor(id / eventsPerBlock) === Math.floor(position / eventsPerBlock);
  const blockLeft = isSameBlock && block_left !== null && block_left > 0 ? block_left - 1 : null;
  const from = Math.min(newest_at ?? now, now);
  return { kind: "passed over", id, blockLeft, gap: { from, until: isSameBlock ? from : now } };
}

async function compareWithPosition(
  context: BotContext,
  shard: number | undefined,
  source: Source,
  { events: page, unreadable, hasAnchor, within }: Extract<Fetched, { kind: "page" }>,
): Promise<Reading> {
  // Without an id nobody can say what comes behind them.
  if (page.length === 0 && unreadable.length > 0) {
    throw new AppError(
      "network_failed",
      `The hub gives ${unreadable.length} events without a usable id, and nothing else: ${unreadable[0]?.reason}`,
    );
  }
  const now = seconds(context.clock);
  const events = ascendingFrom(source.position, page);
  const isAnchorGone = hasAnchor && source.anchored && page[0]?.id !== source.position;
  const gap = findGap(context, source, events, isAnchorGone);
  if (events.length === 0 && (gap !== undefined || isAnchorGone || !source.anchored)) {
    const newest = await findNewest(context, shard, source);
    if (newest === "behind") return { kind: "lags" };
    if (newest === "anew") return { kind: "begins anew", gap: gap ?? lostAt(source, now) };
  }
  if (events.length === 0 && !gap) return { kind: "nothing new" };
  return { kind: "page", events, unreadable, gap, within, hasAnchor };
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
async function findNewest(
  context: BotContext,
  shard: number | undefined,
  source: Source,
): Promise<"behind" | "anew" | "beyond"> {
  const { hub } = context.network;
  let newest: HubEvent | undefined;
  try {
    [newest] = (await hub.events({ reverse: true, page_size: 1, shard_index: shard })).events;
  } catch (error) {
    // It is one that cannot be given: as a beginning anew it will show when there is another.
    if ((await blame(context, error)) === "page") return "beyond";
    throw error;
  }
  if (!newest || newest.id >= source.position) return "beyond";
  const at = newest.timestamp ?? (await readBlockTime(context, shard, newest.id));
  return at > (source.newest_at ?? 0) ? "anew" : "behind";
}

/** When the block of an event was confirmed, UNIX seconds; 0 where nobody says. */
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

/** Where ids begin anew, what came in between is unknown; of a source that begins anew already it has been told. */
function lostAt({ position, newest_at }: Source, now: number): Gap | undefined {
  return position > 0 ? { from: Math.min(newest_at ?? now, now), until: now } : undefined;
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
  isAnchorGone: boolean,
): Gap | undefined {
  if (source.good_at_ms === null || source.position === 0) return undefined;
  const now = seconds(clock);
  const blocks = readBlocks(source, events, now);
  const next = blocks.times[0];
  if (source.block_left !== null) {
    // Blocks that go on from one that is not there any more, and much later, may be of heights that began anew.
    const isDoubtful = isAnchorGone && isMuchLater(settings.hubStandstill, source.newest_at, next);
    return blocks.gap ?? (isDoubtful ? { from: source.newest_at ?? now, until: next ?? now } : undefined);
  }
  const lastGood = Math.floor(source.good_at_ms / 1000);
  const silent = now - lastGood > settings.hubRetention;
  const grewOld = source.newest_at !== null && source.newest_at <= now - settings.hubRetention;
  if (!silent && (!isAnchorGone || grewOld)) return undefined;
  const until = events.length > 0 ? (next ?? now) : now;
  return { from: Math.min(source.newest_at ?? lastGood, now), until: Math.min(until, now) };
}

/** Whether a block was confirmed so long after the one before it as a shard hardly ever stands still; UNIX seconds. */
function isMuchLater(
  standstill: number | undefined,
  before: number | null,
  next: number | undefined,
): boolean {
  return standstill !== undefined && before !== null && next !== undefined && next - before > standstill;
}
