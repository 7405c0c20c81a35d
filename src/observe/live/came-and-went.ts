import { sql } from "kysely";
import type { Tx } from "../../database/database.ts";
import { channelEventPrefix, type EventContent, type NewChannelEvent } from "../events.ts";
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
    .select(["kind", "subject_fid", "cast_hash", "occurred_at", "source_key"])
    .select(sql<string | null>`data->>'role'`.as("role"))
    .where("channel_id", "=", channelId)
    .where("occurred_at", ">=", first.at - apart.beginning)
    .where("kind", "in", [...new Set(["", ...steps.map(({ content }) => content.kind)])])
    .orderBy("id")
    .execute();
  const told = [...stored, ...news.map(toRow)];
  return steps.filter(({ change, content, fid, isBeginning }) => {
    if (content.kind === "member.joined" && wasMember(entries, change, fid)) return false;
    const castHash = content.kind === "pin.changed" ? content.data.castHash : null;
    const found = told.findIndex(
      (row) =>
        row.kind === content.kind &&
        row.subject_fid === fid &&
        row.cast_hash === castHash &&
        row.role === roleOf(content) &&
        row.occurred_at >= change.at - (isBeginning ? apart.beginning : apart.end) &&
        (!isBeginning || (row.occurred_at <= change.at + apart.beginning && !isOfOther(row, change))),
    );
    if (found >= 0) told.splice(found, 1);
    return found < 0;
  });
}

/** Whether the listing shows that somebody was a member before: who becomes moderator, or is one no more, stays a member. */
function wasMember(shown: Entries, { at }: Change, fid: number | null): boolean {
  return fid !== null && (shown.get("members")?.get(fid)?.at ?? Infinity) < at - apart.beginning;
}

/**
 * Whether another event of the network told it: what begins has an event of its own, unlike what ends with something else. Only
 * who joins has two, of the answer to the invite and of where they stand then.
 */
function isOfOther(
  told: { kind: string; source_key: string; occurred_at: number },
  { id, at }: Change,
): boolean {
  if (told.kind === "member.joined" && Math.abs(told.occurred_at - at) <= apart.end) return false;
  return told.source_key.startsWith(channelEventPrefix) && !told.source_key.startsWith(`${id}:`);
}

/** Of an invite. */
function roleOf({ data }: Pick<EventContent, "data">): string | null {
  return "role" in data ? data.role : null;
}

/** As it will be stored. */
function toRow(event: NewChannelEvent) {
  const { kind, subjectFid, data, occurredAt, sourceKey } = event;
  return {
    role: roleOf(event),
    source_key: sourceKey,
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
      if (!change || isStillShown(shown.get(name)?.get(fid), entry)) continue;
      steps.push({ change, content: findListing(name).vanished(entry), fid, isBeginning: false });
    }
  }
  return steps;
}

/** A listing may name a time that is a little off, of what an event told. */
function isStillShown(shown: ListingEntry | undefined, { role, at }: ListingEntry): boolean {
  return shown !== undefined && shown.role === role && shown.at <= at + apart.beginning;
}
