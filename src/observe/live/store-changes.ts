import { sql } from "kysely";
import type { BotContext } from "../../bot-context.ts";
import type { Channel } from "../../contract/channels.ts";
import type { Tx } from "../../database/database.ts";
import { newEvent, type EventContent, type NewChannelEvent } from "../events.ts";
import { findSnapshot, storeChannel, storeListing } from "../listings/store-listings.ts";
import { hasListeners, toFollowerEvent } from "../poll-followers.ts";
import { applyRecords } from "../records/poll-records.ts";
import { eventTolerance } from "../records/read-records.ts";
import { findWatched, type Source } from "../sources.ts";
import { findShortLived } from "./short-lived-changes.ts";
import {
  applyChange,
  findOvertaken,
  subjectOfChange,
  type ChannelChange,
  type Entries,
  type ListingStep,
} from "./channel-changes.ts";

/** A change this shortly before a reading of all listings may be missing from it, because clocks differ by seconds. */
const clockToleranceMs = 3_000;

interface StoredChanges {
  events: NewChannelEvent[];
  /** Channels to read again, because only their own record shows the change. */
  readAgain: string[];
}

/**
 * Stores changes of channels, oldest first, as if their listings had shown them, and returns their events. Changes of a
 * channel without a baseline will be in its baseline. Locks the channels' sources, so that a concurrent reading is
 * dropped.
 */
export async function storeChanges(
  context: BotContext,
  tx: Tx,
  changes: readonly ChannelChange[],
): Promise<StoredChanges> {
  const stored: StoredChanges = { events: [], readAgain: [] };
  const channels = [...new Set(changes.map(({ channelId }) => channelId))].toSorted();
  for (const channelId of channels) {
    const watched = await findWatched(tx, channelId);
    if (!watched) continue;
    const since = Math.floor(watched.since_ms / 1000);
    const own = changes.filter((change) => change.channelId === channelId && change.at >= since);
    const [first] = own;
    if (!first) continue;
    const listed = own.filter(({ what }) => what !== "moderated" && what !== "followed" && what !== "other");
    const moderated = own.filter((change) => change.what === "moderated");
    const applied = await changeListings(context, tx, channelId, listed);
    stored.events.push(...applied.events, ...(await storeModerations(context, tx, channelId, moderated)));
    stored.events.push(...(await toFollowerEvents(context, tx, channelId, own)));
    if (applied.isOutdated || own.some(({ what }) => what === "other")) stored.readAgain.push(channelId);
  }
  stored.events.sort((one, other) => one.occurredAt - other.occurredAt);
  return stored;
}

/** `isOutdated`: the channel's record now has other moderators, which no change shows. */
async function changeListings(
  context: BotContext,
  tx: Tx,
  channelId: string,
  changes: readonly ChannelChange[],
): Promise<{ events: NewChannelEvent[]; isOutdated: boolean }> {
  const source = changes.length === 0 ? undefined : await lockSource(tx, `listings/${channelId}`);
  if (!source?.has_baseline) return { events: [], isOutdated: false };
  const before = await findSnapshot(tx, source);
  const entries: Entries = new Map([...before.entries].map(([name, known]) => [name, new Map(known)]));
  const eventsOf = new Map(changes.map((change): [ChannelChange, NewChannelEvent[]] => [change, []]));
  const addEvent = (change: ChannelChange, content: EventContent, fid: number | null) =>
    eventsOf.get(change)?.push(toEvent(context, change, content, fid));
  const steps: ListingStep[] = [];
  let { channel } = before;
  const overtaken = findOvertaken(entries, channel?.pinnedCastHash ?? null, changes);
  const isNews = (change: ChannelChange) =>
    change.at * 1000 >= (source.all_listings_at_ms ?? 0) - clockToleranceMs && !overtaken.has(change);
  const news = changes.filter(isNews);
  for (const change of news) {
    const made = applyChange(entries, change);
    steps.push(...made);
    for (const { listing, entry, entered } of made) {
      addEvent(change, entered ? listing.entered(entry) : listing.vanished(entry), entry.fid);
    }
    const pin = channel && applyPin(channel, change);
    if (channel && pin) {
      channel = pin.channel;
      addEvent(change, pin.content, null);
    }
  }
  const old = new Set(changes.filter((change) => change.byEvent && !isNews(change)).map(subjectOfChange));
  const again = changes.filter((change) => old.has(subjectOfChange(change)));
  const shortLived = await findShortLived(tx, channelId, again, {
    news: [...eventsOf.values()].flat(),
    entries,
  });
  for (const { change, content, fid } of shortLived) addEvent(change, content, fid);
  const events = [...eventsOf.values()].flat();
  for (const name of new Set(steps.map(({ listing }) => listing.name))) {
    const [old, now] = [before.entries.get(name), entries.get(name)];
    const vanished = [...(old?.values() ?? [])].filter(({ fid }) => !now?.has(fid));
    const entered = [...(now?.values() ?? [])].filter((entry) => old?.get(entry.fid) !== entry);
    await storeListing(tx, channelId, name, { entered, vanished });
  }
  if (channel && channel !== before.channel) await storeChannel(tx, channel);
  if (events.length > 0) await bumpSource(tx, source.source);
  return { events, isOutdated: news.some((change) => changesModerators(channel, change)) };
}

function changesModerators(channel: Channel | undefined, change: ChannelChange): boolean {
  if (change.what !== "standing" || !channel) return false;
  return channel.moderatorFids.includes(change.fid) !== (change.standing === "moderator");
}

/** Undefined if the pin already matches, or the change is not a pin. */
function applyPin(
  channel: Channel,
  change: ChannelChange,
): { channel: Channel; content: EventContent } | undefined {
  const previousHash = channel.pinnedCastHash ?? null;
  if (change.what === "pinned" && change.castHash !== previousHash) {
    const { castHash } = change;
    const content = { kind: "pin.changed", data: { castHash, previousHash } } as const;
    return { channel: { ...channel, pinnedCastHash: castHash }, content };
  }
  if (change.what !== "unpinned" || change.castHash !== previousHash) return undefined;
  const { pinnedCastHash: _, ...without } = channel;
  return { channel: without, content: { kind: "pin.changed", data: { castHash: null, previousHash } } };
}

async function storeModerations(
  context: BotContext,
  tx: Tx,
  channelId: string,
  changes: readonly (ChannelChange & { what: "moderated" })[],
): Promise<NewChannelEvent[]> {
  const source = changes.length === 0 ? undefined : await lockSource(tx, `records/${channelId}`);
  if (!source?.has_baseline) return [];
  const fresh: (ChannelChange & { what: "moderated" })[] = [];
  for (const change of changes) {
    const { castHash, action, at, id } = change;
    // A listing may have shown it already.
    const known = await sql`
      update castellan.records set event_id = ${id} where id = (
        select id from castellan.records
        where channel_id = ${channelId} and cast_hash = ${castHash} and action = ${action} and event_id is null
          and moderated_at between ${at - eventTolerance} and ${at + eventTolerance}
        order by abs(moderated_at - ${at}), id limit 1)
    `.execute(tx);
    if ((known.numAffectedRows ?? 0n) > 0n) continue;
    const row = { channel_id: channelId, cast_hash: castHash, action, moderated_at: at, event_id: id };
    await tx.insertInto("castellan.records").values(row).execute();
    fresh.push(change);
  }
  if (fresh.length === 0) return [];
  const authors = await applyRecords(tx, fresh);
  // The position stays: it is how far the listing was read.
  const newest_at = Math.max(source.newest_at ?? 0, ...fresh.map(({ at }) => at));
  await bumpSource(tx, source.source, { newest_at });
  return fresh.map((change) => {
    const { castHash, castFid, action } = change;
    const kind = action === "hide" ? ("record.hidden" as const) : ("record.unhidden" as const);
    return toEvent(context, change, { kind, data: { castHash } }, authors.get(castHash) ?? castFid ?? null);
  });
}

async function toFollowerEvents(
  context: BotContext,
  tx: Tx,
  channelId: string,
  changes: readonly ChannelChange[],
): Promise<NewChannelEvent[]> {
  const followed = changes.filter((change) => change.what === "followed");
  if (followed.length === 0 || !(await hasListeners(tx, channelId))) return [];
  return followed.map(({ fid, at }) =>
    toFollowerEvent(channelId, { fid, followedAt: at }, context.clock.now()),
  );
}

async function lockSource(tx: Tx, source: string): Promise<Source | undefined> {
  return tx
    .selectFrom("castellan.sources")
    .selectAll()
    .where("source", "=", source)
    .forUpdate()
    .executeTakeFirst();
}

/** Makes a concurrent reader of the source drop what it read. */
async function bumpSource(tx: Tx, source: string, changes: { newest_at?: number } = {}): Promise<void> {
  await tx
    .updateTable("castellan.sources")
    .set((eb) => ({ ...changes, version: eb("version", "+", 1) }))
    .where("source", "=", source)
    .execute();
}

function toEvent(
  { clock }: BotContext,
  { id, channelId, at }: ChannelChange,
  content: EventContent,
  subjectFid: number | null,
): NewChannelEvent {
  const sourceKey = `${id}:${content.kind}`;
  return newEvent(clock.now(), { ...content, sourceKey, channelId, subjectFid, occurredAt: at });
}
