import type { BotContext } from "../../bot-context.ts";
import type { UnreadableEvent } from "../../contract/endpoint.ts";
import { eventsPerBlock, type HubEvent } from "../../contract/hub.ts";
import { asAppError } from "../../errors.ts";
import type { Source } from "../sources.ts";

/** The most that a hub gives at once. */
const pageSize = 1000;
/** A page that the hub cannot give is asked for in parts: so many times smaller each time. */
const shrink = 8;
/** Events of one block that are passed over, at most, for one that the hub cannot give. */
const mostSkipped = 8;

export interface FetchedPage {
  page: readonly HubEvent[];
  /** What could not be read. */
  unreadable: UnreadableEvent[];
  /** It is smaller than a page could be, because the hub could not give a larger one. */
  isPart: boolean;
  /** It was asked for from the position on, inclusive: so it shows whether the event there is there still. */
  hasAnchor: boolean;
  /** The hub could give nothing from the position up to this id. */
  skipped: { until: number } | undefined;
}

/**
 * A page from the source's position, inclusive. A hub that cannot write out one event drops the connection for every page
 * that holds it (H8): smaller pages lead up to it, then it is asked for by itself, and where that fails too it is passed
 * over. Throws what the hub's refusal amounts to.
 */
export async function fetchPage(
  context: BotContext,
  shard: number | undefined,
  { position, source, anchored }: Source,
): Promise<FetchedPage> {
  // At the end of what was passed over there is nothing that can be given.
  const begin = anchored || position === 0 ? position : position + 1;
  const unreadable: UnreadableEvent[] = [];
  const ask = async (from: number, size: number) => {
    unreadable.length = 0;
    const { events } = await context.network.hub.events(
      { from_event_id: from, page_size: size, shard_index: shard },
      { onUnreadable: (event) => unreadable.push(event) },
    );
    return events;
  };
  let size = pageSize;
  for (;;) {
    try {
      const page = await ask(begin, size);
      return { page, unreadable, isPart: size < pageSize, hasAnchor: true, skipped: undefined };
    } catch (error) {
      if (!(await isPageAtFault(context, error))) throw error;
      // The last seen event and the next one.
      if (size > 2) size = Math.max(2, Math.floor(size / shrink));
      else break;
    }
  }
  // A hub that fails now and then may give it after all.
  const whole = await ask(begin, 2).catch(() => undefined);
  if (whole) return { page: whole, unreadable, isPart: true, hasAnchor: true, skipped: undefined };
  const next = await askForNext(context, shard, position);
  const rest = { isPart: true, hasAnchor: false } as const;
  if (next && "event" in next) return { ...rest, page: [next.event], unreadable: [], skipped: undefined };
  if (next) return { ...rest, ...passOver(context, source, position, next.unwritable), page: [] };
  let lastError: unknown;
  for (const from of nextIds(position)) {
    try {
      const page = await ask(from, 1);
      return { ...rest, ...passOver(context, source, position, from - 1), page };
    } catch (error) {
      lastError = error;
    }
  }
  throw lastError;
}

function passOver({ log }: BotContext, source: string, position: number, until: number) {
  log.warn({ source, position, until }, "an event that the hub cannot give is passed over");
  const reason = "the hub cannot give it";
  return { unreadable: [{ id: until, type: "", reason }], skipped: { until } };
}

/**
 * The event after a position by itself (H7): behind it in its block, or the first of the next block. Of one that the hub
 * holds and cannot write out it says so, and ends no connection. Undefined where neither is there, as on hubs without blocks.
 */
async function askForNext(
  context: BotContext,
  shard: number | undefined,
  position: number,
): Promise<{ event: HubEvent } | { unwritable: number } | undefined> {
  const block = Math.floor(position / eventsPerBlock);
  for (const id of [position + 1, (block + 1) * eventsPerBlock]) {
    try {
      return { event: await context.network.hub.eventById({ event_id: id, shard_index: shard }) };
    } catch (error) {
      if (asAppError(error, "not_found")) continue;
      const isRefused = asAppError(error)?.status === 400;
      if (isRefused || (await isPageAtFault(context, error))) return { unwritable: id };
      throw error;
    }
  }
  return undefined;
}

/** Where the event after the one behind a position may be: in the same block, or in the next. */
function nextIds(position: number): number[] {
  const next = (Math.floor(position / eventsPerBlock) + 1) * eventsPerBlock;
  const inBlock = Array.from({ length: mostSkipped }, (_, index) => position + 2 + index);
  return [...inBlock, next, next + 1, next + 2];
}

/** Whether the hub is there, and fails for this page alone. */
export async function isPageAtFault({ network }: BotContext, error: unknown): Promise<boolean> {
  const { code, status } = asAppError(error) ?? {};
  if (code !== "network_unreachable" && !(status !== undefined && status >= 500)) return false;
  return network.hub.info({}).then(
    () => true,
    () => false,
  );
}
