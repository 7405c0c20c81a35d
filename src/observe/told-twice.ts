import { sql } from "kysely";
import type { Tx } from "../database/database.ts";
import type { EventKind, NewChannelEvent } from "./events.ts";

/** What ends what each kind begins, and the other way round. */
const opposites: Partial<Record<EventKind, EventKind>> = {
  "user.banned": "user.unbanned",
  "user.unbanned": "user.banned",
  "member.joined": "member.left",
  "member.left": "member.joined",
  "record.hidden": "record.unhidden",
  "record.unhidden": "record.hidden",
};
const changes: readonly EventKind[] = ["pin.changed", "channel.edited"];

/** What the hub and a listing tell within so many seconds of each other is one thing. */
const apart = 3600;

/**
 * Without what the other source told already, where both the hub and the listings tell of a channel: of one user or cast the
 * same as the latest, of the channel the same change. Locks the channels' rows, so that of two that tell it at once one
 * sees the other's.
 */
export async function withoutToldTwice(tx: Tx, events: NewChannelEvent[]): Promise<NewChannelEvent[]> {
  const channelIds = new Set(events.filter(isDouble).flatMap(({ channelId }) => channelId ?? []));
  if (channelIds.size === 0) return events;
  await sql`
    select from castellan.watched_channels where channel_id = any(${[...channelIds]}::text[])
    order by channel_id for update
  `.execute(tx);
  const fresh: NewChannelEvent[] = [];
  for (const event of events) {
    // After something of its own source it is another one.
    const isTold =
      isDouble(event) && !fresh.some((one) => isAboutSame(one, event)) && (await isStored(tx, event));
    if (!isTold) fresh.push(event);
  }
  return fresh;
}

/** Whether both tell of such events. */
function isDouble({ kind }: NewChannelEvent): boolean {
  return kind in opposites || changes.includes(kind);
}

/** One says what the other does, or what ends it. */
function isAboutSame(one: NewChannelEvent, other: NewChannelEvent): boolean {
  const isOfKind = one.kind === other.kind || one.kind === opposites[other.kind];
  if (!isOfKind || one.channelId !== other.channelId) return false;
  if (changes.includes(one.kind)) return true;
  return castOf(one) === castOf(other) && (castOf(one) !== null || one.subjectFid === other.subjectFid);
}

function castOf({ data }: NewChannelEvent): string | null {
  return "castHash" in data ? data.castHash : null;
}

/** Whether the latest of its kind, or of what ends it, says the same, and came from the other source. */
async function isStored(tx: Tx, event: NewChannelEvent): Promise<boolean> {
  const castHash = event.kind in opposites ? castOf(event) : null;
  const { rows } = await sql<{ kind: EventKind; data: Record<string, unknown>; source_key: string }>`
    select kind, data, source_key from castellan.events
    where channel_id = ${event.channelId} and kind in (${event.kind}, ${opposites[event.kind] ?? event.kind})
      and occurred_at >= ${event.occurredAt - apart}
      and case when ${castHash}::text is null then cast_hash is null or kind = 'pin.changed' else cast_hash = ${castHash}::text end
      and (cast_hash is not null or subject_fid is not distinct from ${event.subjectFid}::bigint)
    order by id desc limit 1
  `.execute(tx);
  const [latest] = rows;
  if (!latest || latest.kind !== event.kind) return false;
  if (isOfHub(latest.source_key) === isOfHub(event.sourceKey)) return false;
  if (event.kind === "pin.changed") return (latest.data["castHash"] ?? null) === event.data.castHash;
  if (event.kind !== "channel.edited") return true;
  return JSON.stringify(latest.data["fields"]) === JSON.stringify(event.data.fields);
}

function isOfHub(sourceKey: string): boolean {
  return sourceKey.startsWith("channel message:");
}
