import type { Tx } from "../../database/database.ts";
import type { EventContent, NewChannelEvent } from "../events.ts";
import { findListing, type ListingEntry } from "../listings/listings.ts";
import { applyChange, isPin, pinOf, type Change, type Entries } from "./changes.ts";

/** Something of which only an event told, and of whom. */
export interface Missed {
  change: Change;
  content: EventContent;
  fid: number | null;
}

/** Seconds by which a listing and an event may differ about when something was; of what ended it says when it was seen. */
const apart = { beginning: 60, end: 5 };

/**
 * Of all changes of those of whom some are older than a reading of the listings, those that it could not show: who was banned and
 * was no more, what was pinned in between. The rest was told as the listings showed it: what came, at about its time; what ended, when it was seen.
 */
export async function findMissed(
  tx: Tx,
  channelId: string,
  changes: readonly Change[],
  { news, entries }: { news: readonly NewChannelEvent[]; entries: Entries },
): Promise<Missed[]> {
  const [first] = changes;
  if (!first) return [];
  const steps = replay(changes, entries);
  const stored = await tx
    .selectFrom("castellan.events")
    .select(["kind", "subject_fid", "cast_hash", "occurred_at"])
    .where("channel_id", "=", channelId)
    .where("occurred_at", ">=", first.at - apart.beginning)
    .where("kind", "in", [...new Set(["", ...steps.map(({ content }) => content.kind)])])
    .orderBy("id")
    .execute();
  const told = [...stored, ...news.map(toRow)];
  return steps.filter(({ change, content, fid, isBeginning }) => {
    const castHash = content.kind === "pin.changed" ? content.data.castHash : null;
    const found = told.findIndex(
      (row) =>
        row.kind === content.kind &&
        row.subject_fid === fid &&
        row.cast_hash === castHash &&
        row.occurred_at >= change.at - (isBeginning ? apart.beginning : apart.end) &&
        (!isBeginning || row.occurred_at <= change.at + apart.beginning),
    );
    if (found >= 0) told.splice(found, 1);
    return found < 0;
  });
}

/** As it will be stored. */
function toRow({ kind, subjectFid, data, occurredAt }: NewChannelEvent) {
  return {
    kind,
    subject_fid: subjectFid,
    cast_hash: "castHash" in data ? data.castHash : null,
    occurred_at: occurredAt,
  };
}

interface Step extends Missed {
  isBeginning: boolean;
}

/**
 * What these changes come to by themselves; of what was before them nothing is known. What they began and the listings do not
 * show has ended, whether its event comes late or never.
 */
function replay(changes: readonly Change[], shown: Entries): Step[] {
  const entries: Entries = new Map();
  const beginnings = new Map<ListingEntry, Change>();
  let pin: string | null = null;
  const steps = changes.flatMap((change): Step[] => {
    if (isPin(change)) {
      const castHash = pinOf(change);
      const content = { kind: "pin.changed", data: { castHash, previousHash: pin } } as const;
      pin = castHash;
      return [{ change, content, fid: null, isBeginning: false }];
    }
    return applyChange(entries, change).map(({ listing, entry, entered }) => {
      if (entered) beginnings.set(entry, change);
      const content = entered ? listing.entered(entry) : listing.vanished(entry);
      return { change, content, fid: entry.fid, isBeginning: entered };
    });
  });
  for (const [name, left] of entries) {
    for (const [fid, entry] of left) {
      const change = beginnings.get(entry);
      if (!change || shown.get(name)?.has(fid)) continue;
      steps.push({ change, content: findListing(name).vanished(entry), fid, isBeginning: false });
    }
  }
  return steps;
}
