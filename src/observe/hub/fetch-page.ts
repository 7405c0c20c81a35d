import type { BotContext } from "../../bot-context.ts";
import type { UnreadableEvent } from "../../contract/endpoint.ts";
import { eventsPerBlock, type HubEvent } from "../../contract/hub.ts";
import { AppError, asAppError } from "../../errors.ts";
import type { Source } from "../sources.ts";
import { blame, mayBePage } from "./blame.ts";
import { isStill } from "./standstill.ts";

/** The most that a hub gives at once. */
const pageSize = 1000;
/** Milliseconds after which a page is given up, with all that is asked about it. */
const patience = 30_000;
/** An event that cannot be given has failed alone for so long before it is passed over; milliseconds. */
const secondLook = 5_000;
/** Where one was passed over so lately, the next one is not waited for: a whole type may be as this one. */
const lately = 10 * 60_000;

export type Fetched =
  | {
      kind: "page";
      events: readonly HubEvent[];
      /** What could not be read. */
      unreadable: UnreadableEvent[];
      /** It was asked for from the position on: so it shows whether the event there is there still. */
      hasAnchor: boolean;
      /** Of so many events behind this page one cannot be given; null where that is not known. */
      within: number | null;
    }
  /** The event with this id, the next one, cannot be given. */
  | { kind: "unreadable"; id: number };

interface Question {
  from: number;
  size: number;
  /** Events from this id on are left out. */
  stop?: number;
  attempts?: number;
}

export interface Answer {
  events: readonly HubEvent[];
  unreadable: UnreadableEvent[];
}

/** Whether more may follow. */
export function isFull({ events }: Answer): boolean {
  return events.length >= pageSize;
}

type Ask = (question: Question) => Promise<Answer>;

type Position = Pick<Source, "position" | "anchored">;

/** How many events of a page are known already: the one at the position, if that must still be there. */
function knownOf({ anchored }: Position): number {
  return anchored ? 1 : 0;
}

function questionBehind(source: Position, wanted: number): Question {
  const { position } = source;
  const known = knownOf(source);
  return { from: position + 1 - known, size: wanted + known };
}

/** The largest page behind a position. */
export function firstQuestion(source: Position): Question {
  return questionBehind(source, pageSize - knownOf(source));
}

/**
 * A page of what comes behind the source's position, begun by the event there if that must still be there. A hub that cannot
 * write out one event gives no page that holds it (H8): ever smaller ones lead up to it, each read as it comes, until it fails
 * alone, and again some seconds later. `early` is the answer to the first question, where that was asked. Throws what the hub's
 * refusal amounts to.
 */
export async function fetchPage(
  context: BotContext,
  shard: number | undefined,
  source: Source,
  early?: Answer,
): Promise<Fetched> {
  const signal = AbortSignal.timeout(patience);
  const ask = createAsk(context, shard, source, signal);
  try {
    return await fetchLargest(context, shard, source, ask, signal, early);
  } catch (cause) {
    if (!signal.aborted) throw cause;
    const seconds = patience / 1000;
    throw new AppError("network_unreachable", `The hub gave no page within ${seconds} s.`, { cause });
  }
}

/** Asks the hub as whoever stands where the source does. */
export function createAsk(
  { network, clock, settings }: BotContext,
  shard: number | undefined,
  source: Source,
  signal: AbortSignal,
): Ask {
  return async ({ from, size, stop, attempts }) => {
    const unreadable: UnreadableEvent[] = [];
    const { events } = await network.hub.events(
      { from_event_id: from, page_size: size, shard_index: shard, stop_id: stop },
      {
        signal,
        attempts,
        onUnreadable: (event) => unreadable.push(event),
        // Of several hubs one may lag behind another, or stand still.
        accepts: (answer) =>
          stop !== undefined ||
          answer.events.some(({ id }) => id > source.position) ||
          (answer.events.length > 0 && !isStill(source, { clock, settings })),
      },
    );
    return { events, unreadable };
  };
}

async function fetchLargest(
  context: BotContext,
  shard: number | undefined,
  source: Source,
  ask: Ask,
  signal: AbortSignal,
  early: Answer | undefined,
): Promise<Fetched> {
  const { position } = source;
  let within = source.unreadable_within;
  for (let isFirst = true; ; isFirst = false) {
    const wanted = within === null ? pageSize - knownOf(source) : Math.max(1, Math.floor(within / 2));
    const attempts = within === null ? {} : { attempts: 1 };
    try {
      const answer = isFirst && early ? early : await ask({ ...questionBehind(source, wanted), ...attempts });
      const read = answer.events.filter(({ id }) => id > position).length;
      // Where there is less than was asked for, it is no longer there.
      const left = within === null || read < wanted ? 0 : within - read;
      return { kind: "page", ...answer, hasAnchor: true, within: left > 0 ? left : null };
    } catch (error) {
      const isSure = !isFirst && wanted > 1 && mayBePage(error);
      if (!isSure && (await blame(context, error, signal)) !== "page") throw error;
      within = wanted;
      await noteUnreadable(context, source, within);
      if (wanted > 1) continue;
      const next = await askForNext(context, shard, position, signal);
      if (next && "event" in next) {
        return { kind: "page", events: [next.event], unreadable: [], hasAnchor: false, within: null };
      }
      const hasFailedBefore = await isSecondLook(context, source);
      const id = hasFailedBefore ? (next?.unwritable ?? (await findUnreadable(position, ask))) : undefined;
      if (id !== undefined) return { kind: "unreadable", id };
      throw new AppError(
        "network_failed",
        `The hub cannot give the event behind ${position}. It is asked for again before it is passed over.`,
        { cause: error },
      );
    }
  }
}

/**
 * The event behind a position by itself (H7): the next in its block, or the first of the next block. A hub may give it so,
 * and of one that it cannot write out it may say so and end no connection. Undefined where neither is there.
 */
async function askForNext(
  context: BotContext,
  shard: number | undefined,
  position: number,
  signal: AbortSignal,
): Promise<{ event: HubEvent } | { unwritable: number } | undefined> {
  const block = Math.floor(position / eventsPerBlock);
  for (const id of [position + 1, (block + 1) * eventsPerBlock]) {
    try {
      const input = { event_id: id, shard_index: shard };
      return { event: await context.network.hub.eventById(input, { signal, attempts: 1 }) };
    } catch (error) {
      if (asAppError(error, "not_found")) continue;
      if (asAppError(error)?.status === 400 || (await blame(context, error, signal)) === "page") {
        return { unwritable: id };
      }
      throw error;
    }
  }
  return undefined;
}

async function isSecondLook({ database, clock }: BotContext, source: Source): Promise<boolean> {
  const { source: name, unreadable_since_ms: since } = source;
  const now = clock.now();
  if (since !== null && now - since >= secondLook) return true;
  const skipped = await database.query
    .selectFrom("castellan.set_aside_events")
    .select("id")
    .where("source", "=", name)
    .where("reason", "=", cannotBeGiven)
    .where("set_aside_at_ms", ">", now - lately)
    .limit(1)
    .executeTakeFirst();
  return skipped !== undefined;
}

/** What an event that the hub cannot give is set aside with. */
export const cannotBeGiven = "the hub cannot give it";

/** So that the next run goes on from there, whichever process it is in. */
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

/** The id of the event behind a position, which cannot be given: all that ends before it is empty, all that holds it fails. */
async function findUnreadable(position: number, ask: Ask): Promise<number | undefined> {
  const holds = async (until: number): Promise<boolean | "is given"> => {
    try {
      const { events } = await ask({ from: position + 1, stop: until + 1, size: 1, attempts: 1 });
      return events.length > 0 ? "is given" : false;
    } catch {
      return true;
    }
  };
  let [empty, failing] = [position, Infinity];
  const guesses = likelyIds(position);
  while (failing - empty > 1) {
    const until = failing < Infinity ? Math.floor((empty + failing) / 2) : guesses.next().value;
    if (until === undefined) return undefined;
    const found = await holds(until);
    if (found === "is given") return undefined;
    if (found) failing = until;
    else empty = until;
  }
  return failing;
}

/** The next in the same block, the first of the next block; then ever farther blocks. */
function* likelyIds(position: number): Generator<number, undefined> {
  const next = (Math.floor(position / eventsPerBlock) + 1) * eventsPerBlock;
  yield position + 1;
  if (next - 1 > position + 1) yield next - 1;
  if (next > position + 1) yield next;
  for (let blocks = 1; blocks < 2 ** 30; blocks *= 2) yield next + blocks * eventsPerBlock;
  return undefined;
}
