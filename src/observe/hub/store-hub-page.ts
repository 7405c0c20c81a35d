import { sql } from "kysely";
import type { BotContext } from "../../bot-context.ts";
import { seconds } from "../../clock.ts";
import type { UnreadableEvent } from "../../contract/endpoint.ts";
import type { Tx } from "../../database/database.ts";
import { afterCommit, sqlState } from "../../database/transactions.ts";
import { toStorable } from "../../text/storable.ts";
import type { NewChannelEvent } from "../events.ts";
import { isNews, moveSource, readWatchedChannels, type Source, type WatchedChannels } from "../sources.ts";
import { readBlocks } from "./blocks.ts";
import { rememberRemovals, removalEvent, removeCasts } from "./cast-removals.ts";
import { removeCodeCasts, storeCodeCasts } from "./code-casts.ts";
import { gapEvent, recordGap } from "./gaps.ts";
import { castEvent, indexCasts } from "./index-casts.ts";
import { mergeProofs, proofEvent, storeShownNames } from "./merge-proofs.ts";
import { parseEvents, type ParsedEvents } from "./parse-events.ts";
import type { HubPage } from "./read-hub-page.ts";
import { storeWaitingReplies } from "./waiting-replies.ts";

/**
 * Stores a page in one transaction: position, names, index, events and everything that follows from them. Returns the
 * source as it is then; undefined if another worker was faster. If the database rejects an event's data, the page is
 * stored event by event, and that event is set aside.
 */
export async function storeHubPage(
  context: BotContext,
  source: Source,
  page: HubPage,
): Promise<Source | undefined> {
  try {
    return await storeAtOnce(context, source, page);
  } catch (error) {
    if (!isAboutData(error)) throw error;
    const { source: name, position } = source;
    context.log.warn(
      { err: error, source: name, position },
      "the database refused a page: storing its events one by one",
    );
    return storeOneByOne(context, source, page);
  }
}

/** SQLSTATEs for rejected data, and for rows or indexes that are too large: retrying never helps. */
function isAboutData(error: unknown): boolean {
  return /^(22|23502|23514|54)/.test(sqlState(error) ?? "");
}

async function storeOneByOne(
  context: BotContext,
  source: Source,
  page: HubPage,
): Promise<Source | undefined> {
  let current = source;
  for (const [index, event] of page.events.entries()) {
    const isFirst = index === 0;
    const one: HubPage = {
      ...page,
      events: [event],
      gap: isFirst ? page.gap : undefined,
      unreadable: isFirst ? page.unreadable : [],
    };
    let moved: Source | undefined;
    try {
      moved = await storeAtOnce(context, current, one);
    } catch (error) {
      if (!isAboutData(error) || !(error instanceof Error)) throw error;
      const { id, type, timestamp } = event;
      const refused = { id, type, reason: error.message };
      moved = await storeAtOnce(context, current, {
        ...one,
        events: [{ id, type: "set aside", timestamp }],
        unreadable: [...one.unreadable, refused],
      });
    }
    if (!moved) return undefined;
    current = moved;
  }
  return current;
}

async function storeAtOnce(context: BotContext, source: Source, page: HubPage): Promise<Source | undefined> {
  const nowMs = context.clock.now();
  const now = seconds(context.clock);
  const blocks = readBlocks(source, page.events, now);
  const parsed = parseEvents(page.events, { times: blocks.times, now });
  const last = page.events.at(-1);
  const known = new Set(page.unreadable.map(({ id }) => id));
  const unreadable = [...page.unreadable, ...parsed.unreadable.filter(({ id }) => !known.has(id))];
  return context.database.transaction(async (tx) => {
    const changes = {
      position: last?.id ?? source.position,
      anchored: last !== undefined,
      newest_at: blocks.newestAt,
      block_left: blocks.left,
      unreadable_within: page.unreadableWithin,
      unreadable_since_ms: null,
      behind: page.behind,
      seen: source.seen + page.events.length,
      skipped: source.skipped + parsed.skipped + page.unreadable.filter(({ id }) => id === null).length,
      ...page.next,
    };
    const moved = await moveSource(tx, source, changes, nowMs);
    if (!moved) return undefined;
    await setAside(context, tx, source, unreadable, nowMs);
    const gap = page.gap && (await recordGap(tx, source.source, page.gap, nowMs));
    const watched = await readWatchedChannels(tx);
    const events = await storeParsed(tx, parsed, watched, nowMs);
    if (await storeCodeCasts(tx, parsed.codes)) afterCommit(() => void context.wake("check-proofs"));
    await removeCodeCasts(tx, parsed.removals);
    if (gap) events.unshift(gapEvent(source.source, String(source.version), gap, nowMs));
    await context.appendEvents(tx, events);
    return moved;
  });
}

/** Only the latest ones stay stored, for people to read. */
const maxSetAside = 1000;

async function setAside(
  { log }: BotContext,
  tx: Tx,
  { source }: Source,
  unreadable: readonly UnreadableEvent[],
  nowMs: number,
): Promise<void> {
  if (unreadable.length === 0) return;
  const [first] = unreadable;
  log.warn({ source, count: unreadable.length, first }, "set aside hub events that cannot be read");
  await tx
    .insertInto("castellan.set_aside_events")
    .values(
      unreadable.slice(-maxSetAside).map(({ id, type, reason }) => ({
        source,
        event_id: id,
        // Protocol words only, so nobody's text is stored.
        type: /^[A-Z_]{1,64}$/.test(type) ? type : "unknown",
        reason: toStorable(reason).slice(0, 300),
        set_aside_at_ms: nowMs,
      })),
    )
    .execute();
  await sql`
    delete from castellan.set_aside_events
    where id <= (select max(id) from castellan.set_aside_events) - ${maxSetAside}
  `.execute(tx);
}

async function storeParsed(
  tx: Tx,
  parsed: ParsedEvents,
  watched: WatchedChannels,
  nowMs: number,
): Promise<NewChannelEvent[]> {
  const now = Math.floor(nowMs / 1000);
  await rememberRemovals(tx, parsed.removals, now);
  const names = await mergeProofs(tx, parsed.proofs);
  await storeShownNames(tx, parsed.shownNames);
  const { indexed, orphans } = await indexCasts(tx, parsed.casts, watched);
  await storeWaitingReplies(tx, orphans, now);
  const removed = await removeCasts(tx, parsed.removals);
  // Names belong to no channel. They are news once any channel is linked.
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
