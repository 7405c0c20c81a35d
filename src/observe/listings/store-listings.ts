import { sql } from "kysely";
import type { BotContext } from "../../bot-context.ts";
import { seconds } from "../../clock.ts";
import type { Channel } from "../../contract/channels.ts";
import type { UnreadableEvent } from "../../contract/endpoint.ts";
import type { Queryable, Tx } from "../../database/database.ts";
import { toStorable, toStorableJson } from "../../text/storable.ts";
import { newEvent, type EventContent, type NewChannelEvent } from "../events.ts";
import { findWatched, moveSource, type Source } from "../sources.ts";
import { endsReplaced, type Listing, type ListingEntry, type ListingName } from "./listings.ts";

/** A channel as it was last read; empty while it has no baseline. */
export interface Snapshot {
  channel: Channel | undefined;
  entries: ReadonlyMap<ListingName, ReadonlyMap<number, ListingEntry>>;
}

/** Changes in one listing. */
export interface ListingReading {
  entered: ListingEntry[];
  vanished: ListingEntry[];
  /** The listing was read completely. */
  complete: boolean;
  /** Rows that could not be read: their users are still listed. */
  unreadable: readonly UnreadableEvent[];
}

/** A channel's record and all its listings, as read now. */
interface ChannelReading {
  before: Snapshot;
  channel: Channel;
  readings: ReadonlyMap<Listing, ListingReading>;
  complete: boolean;
  /** UNIX seconds; anything older is not news. */
  linkedAt: number;
  /** UNIX milliseconds. */
  readAtMs: number;
  /** All listings were read, not only some. */
  isWhole: boolean;
}

export async function findSnapshot(db: Queryable, source: Source): Promise<Snapshot> {
  if (!source.has_baseline || source.channel_id === null) return { channel: undefined, entries: new Map() };
  const channel = await db
    .selectFrom("castellan.channel_snapshots")
    .select("channel_json")
    .where("channel_id", "=", source.channel_id)
    .executeTakeFirst();
  const rows = await db
    .selectFrom("castellan.listing_entries")
    .select(["listing", "fid", "at", "role", "inviter_fid as inviterFid", "from_event as fromEvent"])
    .where("channel_id", "=", source.channel_id)
    .execute();
  const entries = new Map<ListingName, Map<number, ListingEntry>>();
  for (const { listing, ...entry } of rows) {
    const known = entries.get(listing) ?? new Map<number, ListingEntry>();
    entries.set(listing, known.set(entry.fid, entry));
  }
  // Written by storeChannel.
  return { channel: channel && (JSON.parse(channel.channel_json) as Channel), entries };
}

/** Stores the changes with their events; dropped if another worker was faster or no server is linked. */
export async function storeReadings(
  context: BotContext,
  source: Source,
  reading: ChannelReading,
): Promise<void> {
  const { channel, readings, readAtMs } = reading;
  const nowMs = context.clock.now();
  await context.database.transaction(async (tx) => {
    if (!(await findWatched(tx, channel.id))) return;
    const completed_at_ms = reading.complete ? readAtMs : source.completed_at_ms;
    const all_listings_at_ms = reading.isWhole ? readAtMs : source.all_listings_at_ms;
    const changes = { has_baseline: true, completed_at_ms, all_listings_at_ms, behind: false };
    const moved = await moveSource(tx, source, changes, readAtMs);
    if (!moved) return;
    if (!source.has_baseline) {
      await tx.deleteFrom("castellan.listing_entries").where("channel_id", "=", channel.id).execute();
    }
    for (const [listing, changes] of readings) await storeListing(tx, channel.id, listing.name, changes);
    await storeChannel(tx, channel);
    // Each time, because two channels that are read last at the same moment do not see each other.
    if (reading.complete) await markGapsHealed(tx, nowMs);
    await context.appendEvents(tx, toEvents(source, reading, seconds(context.clock), nowMs));
  });
}

export async function storeListing(
  tx: Tx,
  channelId: string,
  name: ListingName,
  { entered, vanished }: Pick<ListingReading, "entered" | "vanished">,
): Promise<void> {
  if (vanished.length > 0) {
    const fids = vanished.map((entry) => entry.fid);
    await sql`
      delete from castellan.listing_entries
      where channel_id = ${channelId} and listing = ${name} and fid = any(${fids}::bigint[])
    `.execute(tx);
  }
  if (entered.length === 0) return;
  const rows = entered.map(({ fid, at, role, inviterFid, fromEvent = false }) => {
    return { fid, at, role, inviter_fid: inviterFid, from_event: fromEvent };
  });
  await sql`
    insert into castellan.listing_entries (channel_id, listing, fid, at, role, inviter_fid, from_event)
    select ${channelId}, ${name}, fid, at, role, inviter_fid, from_event
    from jsonb_populate_recordset(null::castellan.listing_entries, ${JSON.stringify(rows)}::text::jsonb)
    on conflict (channel_id, listing, fid) do update set at = excluded.at, role = excluded.role,
      inviter_fid = excluded.inviter_fid, from_event = excluded.from_event
  `.execute(tx);
}

export async function storeChannel(tx: Tx, channel: Channel): Promise<void> {
  // A network in this process returns data that no client has validated.
  const channel_json = toStorableJson(channel);
  const [url, name] = [toStorable(channel.url), toStorable(channel.name)];
  await tx
    .insertInto("castellan.channel_snapshots")
    .values({ channel_id: channel.id, channel_json })
    .onConflict((conflict) => conflict.column("channel_id").doUpdateSet({ channel_json }))
    .execute();
  // The channel's URL in its record identifies its casts: the links follow it, and the hub source follows them.
  await tx
    .updateTable("castellan.links")
    .set({ channel_url: url, channel_name: name })
    .where("channel_id", "=", channel.id)
    .where((eb) => eb.or([eb("channel_url", "!=", url), eb("channel_name", "!=", name)]))
    .execute();
}

async function markGapsHealed(tx: Tx, nowMs: number): Promise<void> {
  await sql`
    update castellan.gaps set healed_at_ms = ${nowMs}
    where healed_at_ms is null and not exists (
      select from castellan.watched_channels watched
      left join castellan.sources on source = 'listings/' || watched.channel_id
      where completed_at_ms is null or completed_at_ms < found_at_ms)
  `.execute(tx);
}

/** In the order in which it happened, as far as the listings show; removals are dated to this reading. */
function toEvents(source: Source, reading: ChannelReading, now: number, nowMs: number): NewChannelEvent[] {
  const { before, channel, readings, linkedAt, readAtMs } = reading;
  const toEvent = (content: EventContent, subjectFid: number | null, occurredAt: number): NewChannelEvent =>
    newEvent(nowMs, {
      ...content,
      sourceKey: `${content.kind}:${channel.id}:${subjectFid ?? ""}:${source.version + 1}`,
      channelId: channel.id,
      subjectFid,
      occurredAt,
      readAtMs,
    });
  const events = [...readings].flatMap(([listing, { entered, vanished }]) => [
    ...(endsReplaced(listing.name) ? entered : []).flatMap(({ fid, at }) => {
      const replaced = before.entries.get(listing.name)?.get(fid);
      return replaced ? [toEvent(listing.vanished(replaced), fid, at)] : [];
    }),
    ...vanished.map((entry) => toEvent(listing.vanished(entry), entry.fid, now)),
    ...entered
      .filter((entry) => source.has_baseline || entry.at >= linkedAt)
      .map((entry) => toEvent(listing.entered(entry), entry.fid, entry.at)),
  ]);
  const changes = before.channel ? findChannelChanges(before.channel, channel) : [];
  events.push(...changes.map((change) => toEvent(change, null, now)));
  return events.toSorted((a, b) => a.occurredAt - b.occurredAt);
}

/** The fields whose edits are announced, with their names in the announcement. */
const announcedFields: readonly [field: keyof Channel, word: string][] = [
  ["name", "name"],
  ["url", "address"],
  ["description", "description"],
  ["imageUrl", "picture"],
  ["headerImageUrl", "header picture"],
  ["leadFid", "owner"],
  ["moderatorFids", "moderators"],
  ["publicCasting", "who may cast"],
  ["externalLink", "link"],
];

/** Changes between two readings of a channel record: its pin, its other fields. */
function findChannelChanges(before: Channel, after: Channel): EventContent[] {
  const changes: EventContent[] = [];
  if (before.pinnedCastHash !== after.pinnedCastHash) {
    const data = { castHash: after.pinnedCastHash ?? null, previousHash: before.pinnedCastHash ?? null };
    changes.push({ kind: "pin.changed", data });
  }
  const fields = announcedFields
    .filter(([field]) => !isSame(before[field], after[field]))
    .map(([, word]) => word);
  if (fields.length > 0) changes.push({ kind: "channel.edited", data: { fields } });
  return changes;
}

function isSame(before: unknown, after: unknown): boolean {
  return JSON.stringify(before ?? null) === JSON.stringify(after ?? null);
}
