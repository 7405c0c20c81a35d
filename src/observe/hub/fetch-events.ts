import type { BotContext } from "../../bot-context.ts";
import type { UnreadableEvent } from "../../contract/endpoint.ts";
import { eventsPerBlock, type HubEvent } from "../../contract/hub.ts";
import { AppError, asAppError } from "../../errors.ts";
import type { Source } from "../sources.ts";
import { classifyHubError, mayBePage } from "./classify-hub-error.ts";
import { isStalled } from "./hub-stalled.ts";

/** A hub returns at most this many at once. */
const pageSize = 1000;
/** Timeout of a page, including all requests for it. */
const timeoutMs = 30_000;
/** An event is skipped only after it has failed alone for this long. */
const secondTryMs = 5_000;
/** If an event was skipped this recently, the next one is skipped at its first failure, because a whole type may fail. */
const recentSkipMs = 10 * 60_000;

/** The stored reason of an event that the hub fails to return. */
export const notReturned = "the hub cannot give it";

/** Events returned by the hub. */
export interface FetchedEvents {
  events: readonly HubEvent[];
  unreadable: UnreadableEvent[];
  /** They were requested from the position on, so they show whether the event at the position still exists. */
  hasAnchor: boolean;
  /** One of this many following events is the one that the hub fails to return; null if that is unknown. */
  unreadableWithin: number | null;
}

interface Request {
  from: number;
  size: number;
  /** Events with this id or higher are left out. */
  stop?: number;
  attempts?: number;
}

type Fetch = (request: Request) => Promise<Pick<FetchedEvents, "events" | "unreadable">>;

/**
 * Fetches the events after the source's position, beginning with the event there if that must still exist. A hub that
 * cannot serialize one event fails every page that contains it (H8). Then ever smaller pages lead up to that event. Once
 * it has failed alone, and again some seconds later, its id is returned as `failingId`. Throws any other hub error.
 */
export async function fetchEvents(
  context: BotContext,
  shard: number | undefined,
  source: Source,
): Promise<FetchedEvents | { failingId: number }> {
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    return await fetchLargest(context, shard, source, signal);
  } catch (cause) {
    if (!signal.aborted) throw cause;
    const seconds = timeoutMs / 1000;
    throw new AppError("network_unreachable", `The hub returned no page within ${seconds} s.`, { cause });
  }
}

/** There may be several hubs: a response is accepted from the first with something new for this source. */
function createFetch(
  { network, clock, settings }: BotContext,
  shard: number | undefined,
  source: Source,
  signal: AbortSignal,
): Fetch {
  return async ({ from, size, stop, attempts }) => {
    const unreadable: UnreadableEvent[] = [];
    const { events } = await network.hub.events(
      { from_event_id: from, page_size: size, shard_index: shard, stop_id: stop },
      {
        signal,
        attempts,
        onUnreadable: (event) => unreadable.push(event),
        // One of several hubs may lag behind another, or have stalled.
        accepts: (answer) =>
          stop !== undefined ||
          answer.events.some(({ id }) => id > source.position) ||
          (answer.events.length > 0 && !isStalled(source, { clock, settings })),
      },
    );
    return { events, unreadable };
  };
}

async function fetchLargest(
  context: BotContext,
  shard: number | undefined,
  source: Source,
  signal: AbortSignal,
): Promise<FetchedEvents | { failingId: number }> {
  const { position, anchored } = source;
  const fetch = createFetch(context, shard, source, signal);
  const known = anchored ? 1 : 0;
  let within = source.unreadable_within;
  for (let isFirst = true; ; isFirst = false) {
    const wanted = within === null ? pageSize - known : Math.max(1, Math.floor(within / 2));
    const request = { from: position + 1 - known, size: wanted + known };
    try {
      const page = await fetch(within === null ? request : { ...request, attempts: 1 });
      const count = page.events.filter(({ id }) => id > position).length;
      // If fewer came than were requested, the failing event is gone.
      const left = within === null || count < wanted ? 0 : within - count;
      return { ...page, hasAnchor: true, unreadableWithin: left > 0 ? left : null };
    } catch (error) {
      const isSure = !isFirst && wanted > 1 && mayBePage(error);
      if (!isSure && (await classifyHubError(context, error, signal)) !== "page") throw error;
      within = wanted;
      await noteUnreadable(context, source, within);
      if (wanted > 1) continue;
      const next = await fetchNext(context, shard, position, signal);
      if (next && "event" in next) {
        return { events: [next.event], unreadable: [], hasAnchor: false, unreadableWithin: null };
      }
      const hasFailedBefore = await isSecondTry(context, source);
      const failingId = hasFailedBefore
        ? (next?.failingId ?? (await findFailing(position, fetch)))
        : undefined;
      if (failingId !== undefined) return { failingId };
      throw new AppError(
        "network_failed",
        `The hub cannot return the event after ${position}. Castellan requests it again before skipping it.`,
        { cause: error },
      );
    }
  }
}

/**
 * The event after a position, requested alone (H7): the next in its block, or the first of the next block. A hub that
 * cannot serialize it may report so without dropping the connection. Undefined if neither event exists.
 */
async function fetchNext(
  context: BotContext,
  shard: number | undefined,
  position: number,
  signal: AbortSignal,
): Promise<{ event: HubEvent } | { failingId: number } | undefined> {
  const block = Math.floor(position / eventsPerBlock);
  for (const id of [position + 1, (block + 1) * eventsPerBlock]) {
    try {
      const input = { event_id: id, shard_index: shard };
      return { event: await context.network.hub.eventById(input, { signal, attempts: 1 }) };
    } catch (error) {
      if (asAppError(error, "not_found")) continue;
      if (asAppError(error)?.status === 400 || (await classifyHubError(context, error, signal)) === "page") {
        return { failingId: id };
      }
      throw error;
    }
  }
  return undefined;
}

async function isSecondTry({ database, clock }: BotContext, source: Source): Promise<boolean> {
  const { source: name, unreadable_since_ms: since } = source;
  const now = clock.now();
  if (since !== null && now - since >= secondTryMs) return true;
  const skipped = await database.query
    .selectFrom("castellan.set_aside_events")
    .select("id")
    .where("source", "=", name)
    .where("reason", "=", notReturned)
    .where("set_aside_at_ms", ">", now - recentSkipMs)
    .limit(1)
    .executeTakeFirst();
  return skipped !== undefined;
}

/** Lets the next run continue there, in any process. */
async function noteUnreadable(
  { database, clock }: BotContext,
  source: Source,
  within: number,
): Promise<void> {
  const since = within === 1 ? (source.unreadable_since_ms ?? clock.now()) : null;
  await database.query
    .updateTable("castellan.sources")
    .set({ unreadable_within: within, unreadable_since_ms: since })
    .where("source", "=", source.source)
    .where("version", "=", source.version)
    .execute();
}

/** The id of the event after a position that the hub fails to return: ranges before it are empty, ranges that hold it fail. */
async function findFailing(position: number, fetch: Fetch): Promise<number | undefined> {
  const tryUntil = async (until: number): Promise<"empty" | "fails" | "returned"> => {
    try {
      const { events } = await fetch({ from: position + 1, stop: until + 1, size: 1, attempts: 1 });
      return events.length > 0 ? "returned" : "empty";
    } catch {
      return "fails";
    }
  };
  let [empty, failing] = [position, Infinity];
  const guesses = likelyIds(position);
  while (failing - empty > 1) {
    const until = failing < Infinity ? Math.floor((empty + failing) / 2) : guesses.next().value;
    if (until === undefined) return undefined;
    const found = await tryUntil(until);
    if (found === "returned") return undefined;
    if (found === "fails") failing = until;
    else empty = until;
  }
  return failing;
}

/** The next id in the same block, the first of the next block, then ever farther blocks. */
function* likelyIds(position: number): Generator<number, undefined> {
  const next = (Math.floor(position / eventsPerBlock) + 1) * eventsPerBlock;
  yield position + 1;
  if (next - 1 > position + 1) yield next - 1;
  if (next > position + 1) yield next;
  for (let blocks = 1; blocks < 2 ** 30; blocks *= 2) yield next + blocks * eventsPerBlock;
  return undefined;
}
