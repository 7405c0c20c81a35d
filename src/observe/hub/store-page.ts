import { sql } from "kysely";
import type { BotContext } from "../../bot-context.ts";
import { seconds } from "../../clock.ts";
import type { UnreadableEvent } from "../../contract/endpoint.ts";
import type { HubEvent } from "../../contract/hub.ts";
import type { Tx } from "../../database/database.ts";
import { afterCommit, sqlState } from "../../database/transactions.ts";
import { toStorable } from "../../text/storable.ts";
import type { NewChannelEvent } from "../events.ts";
import { isNews, moveSource, readWatchedChannels, type Source, type WatchedChannels } from "../sources.ts";
import { removeCodeCasts, storeCodeCasts } from "./code-casts.ts";
import { castEvent, indexCasts, removalEvent, removeCasts } from "./index-casts.ts";
import { mergeProofs, proofEvent, storeShownNames } from "./merge-proofs.ts";
import { readBlocks, type Gap } from "./blocks.ts";
import { gapEvent, recordGap } from "./gaps.ts";
import { rememberRemovals } from "./recent-removals.ts";
import { readPage, type PageContent } from "./read-page.ts";
import { storeWaitingReplies } from "./waiting-replies.ts";

export interface FreshPage {
  /** What the client could not read. */
  unreadable: readonly UnreadableEvent[];
  /** Those after the source's position, ascending. */
  events: readonly HubEvent[];
  /** Where to read on from, where that is not the last event or need not be there when it is asked for; as in the source. */
  place?: Partial<Pick<Source, "position" | "block_left" | "anchored">>;
  gap: Gap | undefined;
  /** Of so many events behind this page one cannot be given; null where that is not known. */
  within?: number | null;
  /** More is to be expected at once. */
  behind: boolean;
}

/**
 * One page, one transaction: position, names, index, events and all that follows from them. Gives the source as it is then;
 * undefined when another worker was faster. Where the database refuses what an event says, the page is stored event by event,
 * and that one is set aside.
 */
export async function storePage(
  context: BotContext,
  source: Source,
  page: FreshPage,
): Promise<Source | undefined> {
  try {
    return await storeWhole(context, source, page);
  } catch (error) {
    if (!isAboutData(error)) throw error;
    const about = {
      err: error,
      source: source.source,
      position: source.position,
    };
    context.log.warn(about, "a page cannot be stored: its events are stored one by one");
    return storeSingly(context, source, page);
  }
}

/** SQLSTATE of data that is refused, and of rows or indexes that are too large: errors that no later try mends. */
function isAboutData(error: unknown): boolean {
  return /^(22|23502|23514|54)/.test(sqlState(error) ?? "");
}

async function storeSingly(
  context: BotContext,
  source: Source,
  page: FreshPage,
): Promise<Source | undefined> {
  let current = source;
  for (const [index, event] of page.events.entries()) {
    const first = index === 0;
    const one = {
      ...page,
      events: [event],
      gap: first ? page.gap : undefined,
      unreadable: first ? page.unreadable : [],
    };
    let moved: Source | undefined;
    try {
      moved = await storeWhole(context, current, one);
    } catch (error) {
      if (!isAboutData(error) || !(error instanceof Error)) throw error;
      const { id, type, timestamp } = event;
      const aside = { id, type, reason: error.message };
      const bare = { ...one, events: [{ id, type: "set aside", timestamp }] };
      moved = await storeWhole(context, current, {
        ...bare,
        unreadable: [...one.unreadable, aside],
      });
    }
    if (!moved) return undefined;
    current = moved;
  }
  return current;
}

async function storeWhole(context: BotContext, source: Source, page: FreshPage): Promise<Source | undefined> {
  const nowMs = context.clock.now();
  const now = seconds(context.clock);
  const blocks = readBlocks(source, page.events, now);
  const content = readPage(page.events, { times: blocks.times, now });
  const last = page.events.at(-1);
  const known = new Set(page.unreadable.map(({ id }) => id));
  const unreadable = [...page.unreadable, ...content.unreadable.filter(({ id }) => !known.has(id))];
  return context.database.transaction(async (tx) => {
    const changes = {
      position: last?.id ?? source.position,
      anchored: last !== undefined,
      newest_at: blocks.newestAt,
      block_left: blocks.left,
      unreadable_within: page.within ?? null,
      unreadable_since_ms: null,
      behind: page.behind,
      seen: source.seen + page.events.length,
      skipped: source.skipped + content.skipped + page.unreadable.filter(({ id }) => id === null).length,
      ...page.place,
    };
    const moved = await moveSource(tx, source, changes, nowMs);
    if (!moved) return undefined;
    await setAside(context, tx, source, unreadable, nowMs);
    const gap = page.gap && (await recordGap(tx, source.source, page.gap, nowMs));
    const watched = await readWatchedChannels(tx);
    const events = await storeContent(tx, content, watched, nowMs);
    if (await storeCodeCasts(tx, content.codes)) afterCommit(() => void context.wake("check-proofs"));
    await removeCodeCasts(tx, content.removals);
    if (gap) events.unshift(gapEvent(source.source, String(source.version), gap, nowMs));
    await context.appendEvents(tx, events);
    return moved;
  });
}

/** The latest so many are kept, for people to read. */
const mostSetAside = 1000;

async function setAside(
  { log }: BotContext,
  tx: Tx,
  { source }: Source,
  unreadable: readonly UnreadableEvent[],
  nowMs: number,
): Promise<void> {
  if (unreadable.length === 0) return;
  const [first] = unreadable;
  log.warn({ source, count: unreadable.length, first }, "hub events that cannot be read are set aside");
  await tx
    .insertInto("castellan.set_aside_events")
    .values(
      unreadable.slice(-mostSetAside).map(({ id, type, reason }) => ({
        source,
        event_id: id,
        // Only words of the protocol: nobody's text is stored here.
        type: /^[A-Z_]{1,64}$/.test(type) ? type : "unknown",
        reason: toStorable(reason).slice(0, 300),
        set_aside_at_ms: nowMs,
      })),
    )
    .execute();
  await sql`
    delete from castellan.set_aside_events
    where id <= (select max(id) from castellan.set_aside_events) - ${mostSetAside}
  `.execute(tx);
}

async function storeContent(
  tx: Tx,
  content: PageContent,
  watched: WatchedChannels,
  nowMs: number,
): Promise<NewChannelEvent[]> {
  const now = Math.floor(nowMs / 1000);
  await rememberRemovals(tx, content.removals, now);
  const names = await mergeProofs(tx, content.proofs);
  await storeShownNames(tx, content.shownNames);
  const { indexed, orphans } = await indexCasts(tx, content.casts, watched);
  await storeWaitingReplies(tx, orphans, now);
  const removed = await removeCasts(tx, content.removals);
  // Names belong to no channel: they are news to whoever has linked one by then.
  const firstLink = Math.floor(Math.min(...watched.since.values()) / 1000);
  const events = [
    ...names
      .filter((change) => change.arrived.mergedAt >= firstLink)
      .map((change) => ({ order: change.arrived.order, event: proofEvent(change, nowMs) })),
    ...indexed
      .filter((cast) => isNews(watched, cast.channelId, cast.mergedAt))
      .map((cast) => ({ order: cast.order, event: castEvent(cast, nowMs) })),
    ...removed
      .filter(({ channelId, arrived }) => isNews(watched, channelId, arrived.mergedAt))
      .map((cast) => ({ order: cast.arrived.order, event: removalEvent(cast, nowMs) })),
  ];
  return events.toSorted((a, b) => a.order - b.order).map(({ event }) => event);
}
