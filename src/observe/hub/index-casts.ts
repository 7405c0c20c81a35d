import { sql } from "kysely";
import type { Tx } from "../../database/database.ts";
import { newEvent, type NewChannelEvent } from "../events.ts";
import type { WatchedChannels } from "../sources.ts";
import { findErasedAuthors, isErased, type ErasedAuthors } from "./erased-authors.ts";
import { lockRemovals } from "./cast-removals.ts";
import type { ArrivedCast, HubCast } from "./parse-events.ts";
import { lockWaitingReplies, takeWaitingReplies, type UnplacedCast } from "./waiting-replies.ts";

/*
 * Casts enter the index in two ways. A hub event brings them, which makes them news. Or they were requested in order to
 * place replies to them. Then their event may still arrive, which makes them news (`from_past`).
 */

/** The channel of a cast and where it is in its thread. */
interface ThreadPlace {
  channelId: string;
  rootHash: string;
  threadDepth: number;
}
export interface IndexedCast extends ArrivedCast, ThreadPlace {}

export interface Indexing {
  /** Casts that an event brings for the first time, parents before their replies. */
  indexed: IndexedCast[];
  /** Replies whose parent is not in the index. */
  orphans: UnplacedCast[];
}

interface PlacedCast extends UnplacedCast, ThreadPlace {}

/** Placed entries, and replies by the parent that they still need. */
interface Sorting {
  placed: Map<string, PlacedCast>;
  replies: Map<string, UnplacedCast[]>;
}

/** Adds the watched channels' casts, with all replies to them, to the index, in statements for many casts at once. */
export async function indexCasts(
  tx: Tx,
  casts: readonly ArrivedCast[],
  watched: WatchedChannels,
): Promise<Indexing> {
  const entries = casts.map(({ cast, ...arrival }) => ({ cast, arrival }));
  return index(tx, entries, watched);
}

/** The same for requested casts. Only replies that waited for one of them count as brought by an event. */
export async function indexRequested(
  tx: Tx,
  casts: readonly HubCast[],
  watched: WatchedChannels,
): Promise<Indexing> {
  if (casts.length > 0) await lockRemovals(tx);
  const entries = casts.map((cast) => ({ cast, arrival: undefined }));
  return index(tx, entries, watched);
}

async function index(tx: Tx, entries: readonly UnplacedCast[], watched: WatchedChannels): Promise<Indexing> {
  if (watched.byUrl.size === 0 || entries.length === 0) return { indexed: [], orphans: [] };
  await lockWaitingReplies(tx);
  const sorting: Sorting = { placed: new Map(), replies: new Map() };
  for (const entry of entries) {
    const { hash, parentUrl } = entry.cast;
    const channelId = parentUrl === null ? undefined : watched.byUrl.get(parentUrl);
    if (channelId) sorting.placed.set(hash, { ...entry, channelId, rootHash: hash, threadDepth: 0 });
    else addReply(sorting, entry);
  }
  const roots = [...sorting.placed.values()];
  const known = await findPlaces(tx, [...sorting.replies.keys()], watched);
  for (const [hash, place] of known) placeReplies(sorting, hash, place);
  for (const root of roots) placeReplies(sorting, root.cast.hash, root);
  await placeWaiting(tx, sorting);
  const placed = [...sorting.placed.values()];
  const replies = [...sorting.replies.values()].flat();
  const erasedAuthors = await findErasedAuthors(
    tx,
    [...placed, ...replies].map(({ cast }) => cast.fid),
  );
  const fresh = await insertCasts(tx, placed, erasedAuthors);
  return {
    indexed: placed.flatMap(({ arrival, ...entry }) =>
      arrival && fresh.has(entry.cast.hash) && !isEntryErased(erasedAuthors, { ...entry, arrival })
        ? [{ ...entry, ...arrival }]
        : [],
    ),
    orphans: replies.filter((entry) => !isEntryErased(erasedAuthors, entry)),
  };
}

/** How far ahead hubs accept a cast's date. */
const maxAheadSeconds = 600;

function isEntryErased(erasedAuthors: ErasedAuthors, { cast, arrival }: UnplacedCast): boolean {
  return isErased(erasedAuthors, cast.fid, arrival?.mergedAt ?? cast.castAt - maxAheadSeconds);
}

function addReply({ replies }: Sorting, entry: UnplacedCast): void {
  const { parentHash } = entry.cast;
  if (parentHash === null) return;
  const siblings = replies.get(parentHash);
  if (siblings) siblings.push(entry);
  else replies.set(parentHash, [entry]);
}

/** Places every reply below a cast; returns their hashes. */
function placeReplies({ placed, replies }: Sorting, parentHash: string, parent: ThreadPlace): string[] {
  const found: string[] = [];
  const open: [string, ThreadPlace][] = [[parentHash, parent]];
  for (let next = open.pop(); next; next = open.pop()) {
    const [hash, { channelId, rootHash, threadDepth }] = next;
    for (const entry of replies.get(hash) ?? []) {
      const place = { channelId, rootHash, threadDepth: threadDepth + 1 };
      placed.set(entry.cast.hash, { ...entry, ...place });
      found.push(entry.cast.hash);
      open.push([entry.cast.hash, place]);
    }
    replies.delete(hash);
  }
  return found;
}

async function findPlaces(
  tx: Tx,
  hashes: string[],
  watched: WatchedChannels,
): Promise<[hash: string, ThreadPlace][]> {
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

/** Takes out the replies that came before their parent, and then the replies to these in turn. */
async function placeWaiting(tx: Tx, sorting: Sorting): Promise<void> {
  for (let parents = [...sorting.placed.keys()]; parents.length > 0;) {
    for (const reply of await takeWaitingReplies(tx, parents)) addReply(sorting, reply);
    const below = (hash: string): string[] => {
      const parent = sorting.placed.get(hash);
      return parent ? placeReplies(sorting, hash, parent) : [];
    };
    parents = parents.flatMap(below);
  }
}

/**
 * Returns the hashes of casts that were not in the index, or that an event brings only now. A cast that was hidden before
 * it was known starts hidden. A cast removed before its place was known starts removed, and is not news.
 */
async function insertCasts(
  tx: Tx,
  placed: readonly PlacedCast[],
  erasedAuthors: ErasedAuthors,
): Promise<ReadonlySet<string>> {
  if (placed.length === 0) return new Set();
  const rows = placed.map(({ channelId, rootHash, threadDepth, ...entry }) => {
    const { cast, arrival } = entry;
    const erased = isEntryErased(erasedAuthors, entry);
    return {
      hash: cast.hash,
      channel_id: channelId,
      fid: cast.fid,
      text: erased ? "" : cast.text,
      parent_hash: cast.parentHash,
      root_hash: rootHash,
      thread_depth: threadDepth,
      embeds: erased ? [] : cast.embeds,
      mentions: erased ? [] : cast.mentions,
      mentions_positions: erased ? [] : cast.mentionsPositions,
      quotes: erased ? [] : cast.quotes,
      erased_at_ms: erased ? erasedAuthors.get(cast.fid) : null,
      cast_at: cast.castAt,
      from_past: arrival === undefined && entry.removedAt === undefined,
      removed_at: entry.removedAt ?? null,
      // Events also bring the replies to a cast that an event brings.
      replies_known: arrival !== undefined,
    };
  });
  const { rows: inserted } = await sql<{ hash: string }>`
    insert into castellan.casts
      (hash, channel_id, fid, text, parent_hash, root_hash, thread_depth, embeds, mentions, mentions_positions, quotes,
        erased_at_ms, cast_at, from_past, replies_known, removed_at, hidden)
    select hash, channel_id, fid, text, parent_hash, root_hash, thread_depth, embeds, mentions, mentions_positions, quotes,
      erased_at_ms, cast_at, from_past, replies_known,
      coalesce(removed_at, (
      select removed.removed_at from castellan.recent_removals removed where removed.hash = added.hash and from_past)),
      coalesce((
      select action = 'hide' from castellan.records where cast_hash = added.hash order by id desc limit 1), false)
    from jsonb_populate_recordset(null::castellan.casts, ${JSON.stringify(rows)}::text::jsonb) added
    on conflict (hash) do update set from_past = false where casts.from_past and not excluded.from_past
    returning hash
  `.execute(tx);
  const hashes = inserted.map((row) => row.hash);
  await setSubjects(tx, hashes);
  return new Set(hashes);
}

/** Sets the authors of cases about these casts that were opened before the authors were known. */
async function setSubjects(tx: Tx, hashes: readonly string[]): Promise<void> {
  if (hashes.length === 0) return;
  await sql`
    with found as materialized (
      select id, casts.fid from castellan.cases join castellan.casts on casts.hash = target_cast
      where subject_fid is null and target_cast = any(${[...hashes]}::text[]) order by id for update of cases
    )
    update castellan.cases set subject_fid = found.fid from found where cases.id = found.id
  `.execute(tx);
}

export function castEvent({ cast, ...arrived }: IndexedCast, observedAt: number): NewChannelEvent {
  const { channelId, rootHash, threadDepth } = arrived;
  const { hash, text, parentHash, mentions, mentionsPositions, embeds, quotes } = cast;
  const parent = parentHash === null ? {} : { parentHash };
  return newEvent(observedAt, {
    kind: "cast.created",
    // Not the hub's event id, which may belong to another event after a hub reset.
    sourceKey: `cast:${hash}`,
    channelId,
    subjectFid: cast.fid,
    // The author chooses the cast's own time, which must not fool rules that look back.
    occurredAt: arrived.mergedAt,
    data: {
      castHash: hash,
      text,
      rootHash,
      threadDepth,
      mentions,
      embeds,
      ...(mentions.length > 0 && { mentionsPositions }),
      ...(quotes.length > 0 && { quotes }),
      ...parent,
    },
  });
}
