// @ts-nocheck
import type { HubEvent } from "../../contract/hub.ts";
import { seconds } from "../../clock.ts";
import type { Tx } from "../../database/database.ts";
import type { ObserveContext } from "../append-events.ts";
import type { NewChannelEvent } from "../event.ts";
import { moveSource, type Source } from "../source.ts";
import { gapEvent, recordGap, type Gap } from "./find-gap.ts";
import { indexCasts, keepWaiting } from "./index-casts.ts";
import { mergeProofs } from "./merge-proofs.ts";
import { castEvent, proofEvent, removalEvent } from "./page-events.ts";
import { readPage, type PageContent } from "./read-page.ts";
import { removeCasts } from "./remove-casts.ts";
import { isNews, readWatchedChannels, type WatchedChannels } from "./watched-channels.ts";

export interface FreshPage {
  /** Those after the source's position, ascending. */
  events: readonly HubEvent[];
  gap: Gap | undefined;
  /** More is to be expected at once. */
  behind: boolean;
  /** The hub's ids begin anew: it is read from the beginning, and what is known of it already is not told again. */
  startsOver: boolean;
}

/** One page, one transaction: position, names, index, events and all that follows from them. False when dropped. */
export async function storePage(context: ObserveContext, source: Source, page: FreshPage): Promise<boolean> {
  const nowMs = context.clock.now();
  const content = readPage(source.source, page.events, seconds(context.clock));
  const last = page.events.at(-1);
  return context.database.transaction(async (tx) => {
    const changes = {
      position: page.startsOver ? 0 : (last?.id ?? source.position),
      anchored: last !== undefined,
      newest_at: last?.timestamp ?? source.newest_at,
      behind: page.behind,
      seen: source.seen + page.events.length,
      skipped: source.skipped + content.skipped,
    };
    if (!(await moveSource(tx, source, changes, nowMs))) return false;
    if (page.gap) await recordGap(tx, source.source, page.gap, nowMs);
    const events = await storeContent(tx, content, await readWatchedChannels(tx), nowMs);
    if (page.gap) events.unshift(gapEvent(source, page.gap, nowMs));
    await context.appendEvents(tx, events);
    return true;
  });
}

async function storeContent(
  tx: Tx,
  content: PageContent,
  watched: WatchedChannels,
  nowMs: number,
): Promise<NewChannelEvent[]> {
  const names = await mergeProofs(tx, content.proofs);
  const { indexed, orphans } = await indexCasts(tx, content.casts, watched);
  await keepWaiting(tx, orphans, nowMs);
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
