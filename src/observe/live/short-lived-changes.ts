import { sql } from "kysely";
import type { Tx } from "../../database/database.ts";
import { channelEventPrefix, type EventContent, type NewChannelEvent } from "../events.ts";
import { findListing, type ListingEntry } from "../listings/listings.ts";
import { applyChange, isPin, pinOf, type ChannelChange, type Entries } from "./channel-changes.ts";

/** A change that only an event showed, and its subject. */
interface ShortLivedChange {
  change: ChannelChange;
  content: EventContent;
  fid: number | null;
}

/** Seconds by which a listing and an event may differ about a time. A listing dates an end to when it was read. */
const tolerance = { beginning: 60, end: 5 };

/**
 * Finds changes that were undone before the listings were read: a ban that was lifted, a pin that was replaced. `changes`
 * are all changes of every subject that has a change older than that reading. The other changes became events when the
 * listings showed them: a beginning at about its time, an end when it was seen.
 */
export async function findShortLived(
  tx: Tx,
  channelId: string,
  changes: readonly ChannelChange[],
  { news, entries }: { news: readonly NewChannelEvent[]; entries: Entries },
): Promise<ShortLivedChange[]> {
  const [first] = changes;
  if (!first) return [];
  const steps = replay(changes, entries);
  const stored = await tx
    .selectFrom("castellan.events")
    .select(["kind", "subject_fid", "cast_hash", "occurred_at", "source_key"])
    .select(sql<string | null>`data->>'role'`.as("role"))
    // Our own call, if its response was lost, was made long before its case was settled.
    .select(
      sql<number>`least(occurred_at, (select sent_at_ms / 1000 from castellan.cases where cases.id = case_id))`.as(
        "earliest",
      ),
    )
    .where("channel_id", "=", channelId)
    .where("occurred_at", ">=", first.at - tolerance.beginning)
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
        row.occurred_at >= change.at - (isBeginning ? tolerance.beginning : tolerance.end) &&
        (!isBeginning || (row.earliest <= change.at + tolerance.beginning && !isOfOther(row, change))),
    );
    if (found >= 0) told.splice(found, 1);
    return found < 0;
  });
}

/** Whether the listing shows that somebody was a member before. Moderators are members, too. */
function wasMember(shown: Entries, { at }: ChannelChange, fid: number | null): boolean {
  return fid !== null && (shown.get("members")?.get(fid)?.at ?? Infinity) < at - tolerance.beginning;
}

/**
 * Whether another network event brought this. Each beginning has its own event, but an end may come with another change.
 * Only joining has two events: the accepted invite, and the new role.
 */
function isOfOther(
  told: { kind: string; source_key: string; occurred_at: number },
  { id, at }: ChannelChange,
): boolean {
  if (told.kind === "member.joined" && Math.abs(told.occurred_at - at) <= tolerance.end) return false;
  return told.source_key.startsWith(channelEventPrefix) && !told.source_key.startsWith(`${id}:`);
}

/** An invite's role. */
function roleOf({ data }: Pick<EventContent, "data">): string | null {
  return "role" in data ? data.role : null;
}

/** The event as it will be stored. */
function toRow(event: NewChannelEvent) {
  const { kind, subjectFid, data, occurredAt, sourceKey } = event;
  return {
    role: roleOf(event),
    source_key: sourceKey,
    kind,
    subject_fid: subjectFid,
    cast_hash: "castHash" in data ? data.castHash : null,
    occurred_at: occurredAt,
    earliest: occurredAt,
  };
}

interface Step extends ShortLivedChange {
  isBeginning: boolean;
}

/**
 * The net result of these changes, starting from nothing. A beginning that the listings do not show has ended, whether its
 * event comes late or never.
 */
function replay(changes: readonly ChannelChange[], shown: Entries): Step[] {
  const entries: Entries = new Map();
  const beginnings = new Map<ListingEntry, ChannelChange>();
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

/** A listing's date may differ a little from an event's. */
function isStillShown(shown: ListingEntry | undefined, { role, at }: ListingEntry): boolean {
  return shown !== undefined && shown.role === role && shown.at <= at + tolerance.beginning;
}
