import { sql } from "kysely";
import type { Tx } from "../../database/database.ts";
import { newEvent, type NewChannelEvent } from "../events.ts";
import { isNews, type WatchedChannels } from "../sources.ts";
import type { ArrivedCast, ArrivedRemoval, HubCast } from "./read-page.ts";

/** Where a cast stands: its channel and its place in the thread. */
interface Place {
  channelId: string;
  rootHash: string;
  threadDepth: number;
}
export interface IndexedCast extends ArrivedCast, Place {}

export interface Indexing {
  /** New in the index, parents before their replies. */
  indexed: IndexedCast[];
  /** Replies whose parent is not in the index. */
  orphans: ArrivedCast[];
}

/** Casts on their way into the index: those with a place, and replies by the parent that they still look for. */
interface Sorting {
  placed: Map<string, IndexedCast>;
  replies: Map<string, ArrivedCast[]>;
}

/** Puts casts of the watched channels, with all that replies to them, into the index; no statement for a single cast. */
export async function indexCasts(
  tx: Tx,
  casts: readonly ArrivedCast[],
  watched: WatchedChannels,
  { isPast } = { isPast: false },
): Promise<Indexing> {
  if (watched.byUrl.size === 0 || casts.length === 0) return { indexed: [], orphans: [] };
  const sorting: Sorting = { placed: new Map(), replies: new Map() };
  for (const arrived of casts) {
    const { hash, parentUrl } = arrived.cast;
    const channelId = parentUrl === null ? undefined : watched.byUrl.get(parentUrl);
    if (channelId) sorting.placed.set(hash, { ...arrived, channelId, rootHash: hash, threadDepth: 0 });
    else addReply(sorting, arrived);
  }
  const roots = [...sorting.placed.values()];
  const known = await findPlaces(tx, [...sorting.replies.keys()], watched);
  for (const [hash, place] of known) placeReplies(sorting, hash, place);
  for (const root of roots) placeReplies(sorting, root.cast.hash, root);
  await placeWaiting(tx, sorting);
  const inserted = await insertCasts(tx, [...sorting.placed.values()], watched, isPast);
  return {
    indexed: [...sorting.placed.values()].filter(({ cast }) => inserted.has(cast.hash)),
    orphans: [...sorting.replies.values()].flat(),
  };
}

function addReply({ replies }: Sorting, arrived: ArrivedCast): void {
  const { parentHash } = arrived.cast;
  if (parentHash === null) return;
  const siblings = replies.get(parentHash);
  if (siblings) siblings.push(arrived);
  else replies.set(parentHash, [arrived]);
}

/** Gives a place to everything below a cast; returns the hashes of what is there. */
function placeReplies({ placed, replies }: Sorting, parentHash: string, parent: Place): string[] {
  const found: string[] = [];
  const open: [string, Place][] = [[parentHash, parent]];
  for (let next = open.pop(); next; next = open.pop()) {
    const [hash, { channelId, rootHash, threadDepth }] = next;
    for (const arrived of replies.get(hash) ?? []) {
      const place = { channelId, rootHash, threadDepth: threadDepth + 1 };
      placed.set(arrived.cast.hash, { ...arrived, ...place });
      found.push(arrived.cast.hash);
      open.push([arrived.cast.hash, place]);
    }
    replies.delete(hash);
  }
  return found;
}

async function findPlaces(
  tx: Tx,
  hashes: string[],
  watched: WatchedChannels,
): Promise<[hash: string, Place][]> {
  if (hashes.length === 0) return [];
  const { rows } = await sql<{ hash: string; channel_id: string; root_hash: string; thread_depth: number }>`
    select hash, channel_id, root_hash, thread_depth from castellan.casts where hash = any(${hashes}::text[])
  `.execute(tx);
  return rows
    .filter((row) => watched.since.has(row.channel_id))
    .map((row) => [
      row.hash,
      { channelId: row.channel_id, rootHash: row.root_hash, threadDepth: row.thread_depth },
    ]);
}

/** Fetches the replies that came before their parent, and then those that wait for these in turn. */
async function placeWaiting(tx: Tx, sorting: Sorting): Promise<void> {
  for (let parents = [...sorting.placed.keys()]; parents.length > 0;) {
    const { rows } = await sql<{ source_key: string; merged_at: number; cast_json: string }>`
      delete from castellan.waiting_replies where parent_hash = any(${parents}::text[])
      returning source_key, merged_at, cast_json
    `.execute(tx);
    for (const row of rows) {
      const cast = JSON.parse(row.cast_json) as HubCast; // written by storeWaitingReplies
      const { source_key: sourceKey, merged_at: mergedAt } = row;
      // After all of the page, for its parent is among that.
      addReply(sorting, { sourceKey, mergedAt, cast, order: Number.MAX_SAFE_INTEGER, waited: true });
    }
    const below = (hash: string): string[] => {
      const parent = sorting.placed.get(hash);
      return parent ? placeReplies(sorting, hash, parent) : [];
    };
    parents = parents.flatMap(below);
  }
}

/**
 * The hashes that were not in the index, or were asked for and are brought by the hub's events only now. A cast whose hiding
 * was recorded before we knew it begins hidden.
 */
async function insertCasts(
  tx: Tx,
  casts: IndexedCast[],
  watched: WatchedChannels,
  isPast: boolean,
): Promise<Set<string>> {
  if (casts.length === 0) return new Set();
  const rows = casts.map(({ cast, channelId, rootHash, threadDepth, mergedAt, waited }) => ({
    hash: cast.hash,
    channel_id: channelId,
    fid: cast.fid,
    text: cast.text,
    parent_hash: cast.parentHash,
    root_hash: rootHash,
    thread_depth: threadDepth,
    embeds: cast.embeds,
    cast_at: cast.castAt,
    // What is told now needs no event any more; of what was before, the hub's own may be yet to come.
    from_past: isPast && !waited && !isNews(watched, channelId, mergedAt),
    replies_known: !isPast || waited === true,
  }));
  const { rows: inserted } = await sql<{ hash: string }>`
    insert into castellan.casts
      (hash, channel_id, fid, text, parent_hash, root_hash, thread_depth, embeds, cast_at, from_past,
        replies_known, hidden)
    select hash, channel_id, fid, text, parent_hash, root_hash, thread_depth, embeds, cast_at, from_past,
      replies_known, coalesce((
      select action = 'hide' from castellan.records where cast_hash = added.hash order by id desc limit 1), false)
    from jsonb_populate_recordset(null::castellan.casts, ${JSON.stringify(rows)}::text::jsonb) added
    on conflict (hash) do update set from_past = false where casts.from_past and not excluded.from_past
    returning hash
  `.execute(tx);
  return new Set(inserted.map((row) => row.hash));
}

/** Replies wait this long for a parent. */
const patienceMs = 10 * 60_000;

/**
 * Whoever wrote the parent has cast in a linked channel, or is a member of one: then the parent may be there, too. Of all
 * other replies, which are most of the network's, nobody asks for the parent.
 */
const isOfOurs = sql<boolean>`parent_fid is not null and (
  exists (select from castellan.casts where casts.fid = parent_fid)
  or exists (select from castellan.listing_entries as entry where entry.fid = parent_fid and listing = 'members'))`;

/** `isWanted`: they are themselves what others wait for. */
export async function storeWaitingReplies(
  tx: Tx,
  orphans: readonly ArrivedCast[],
  nowMs: number,
  { isWanted } = { isWanted: false },
): Promise<void> {
  if (orphans.length === 0) return;
  const rows = orphans.map(({ cast, sourceKey, mergedAt }) => ({
    hash: cast.hash,
    parent_hash: cast.parentHash,
    parent_fid: cast.parentFid,
    source_key: sourceKey,
    merged_at: mergedAt,
    until_ms: nowMs + patienceMs,
    cast_json: JSON.stringify(cast),
  }));
  await sql`
    insert into castellan.waiting_replies
      (hash, parent_hash, parent_fid, source_key, merged_at, until_ms, cast_json, is_wanted)
    select hash, parent_hash, parent_fid, source_key, merged_at, until_ms, cast_json,
      ${isWanted ? sql<boolean>`true` : isOfOurs}
    from jsonb_populate_recordset(null::castellan.waiting_replies, ${JSON.stringify(rows)}::text::jsonb)
    on conflict (hash) do nothing
  `.execute(tx);
}

export interface RemovedCast {
  arrived: ArrivedRemoval;
  channelId: string;
  fid: number;
}

/** Marks casts of the index as removed, once each; a reply that still waits for its parent is forgotten. */
export async function removeCasts(tx: Tx, removals: readonly ArrivedRemoval[]): Promise<RemovedCast[]> {
  const byHash = new Map(removals.map((removal) => [removal.hash, removal]));
  if (byHash.size === 0) return [];
  const hashes = [...byHash.keys()];
  const times = [...byHash.values()].map((removal) => removal.mergedAt);
  await sql`delete from castellan.waiting_replies where hash = any(${hashes}::text[])`.execute(tx);
  const { rows } = await sql<{ hash: string; channel_id: string; fid: number }>`
    update castellan.casts set removed_at = removal.at
    from unnest(${hashes}::text[], ${times}::bigint[]) as removal (hash, at)
    where casts.hash = removal.hash and casts.removed_at is null
    returning casts.hash, casts.channel_id, casts.fid
  `.execute(tx);
  const removed = new Map(rows.map((row) => [row.hash, row]));
  return [...byHash.values()].flatMap((arrived) => {
    const row = removed.get(arrived.hash);
    return row ? [{ arrived, channelId: row.channel_id, fid: row.fid }] : [];
  });
}

export function castEvent({ cast, ...arrived }: IndexedCast, observedAt: number): NewChannelEvent {
  const { channelId, rootHash, threadDepth } = arrived;
  const { hash, text, parentHash, mentions, embeds } = cast;
  const parent = parentHash === null ? {} : { parentHash };
  return newEvent(observedAt, {
    kind: "cast.created",
    sourceKey: arrived.sourceKey,
    channelId,
    subjectFid: cast.fid,
    // The author chooses the cast's own time; rules that look back must not be fooled by it.
    occurredAt: arrived.mergedAt,
    data: { castHash: hash, text, rootHash, threadDepth, mentions, embeds, ...parent },
  });
}

export function removalEvent({ arrived, channelId, fid }: RemovedCast, observedAt: number): NewChannelEvent {
  return newEvent(observedAt, {
    kind: "cast.removed",
    sourceKey: arrived.sourceKey,
    channelId,
    subjectFid: fid,
    occurredAt: arrived.mergedAt,
    data: { castHash: arrived.hash },
  });
}
