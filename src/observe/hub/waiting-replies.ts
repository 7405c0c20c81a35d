import { sql } from "kysely";
import type { Queryable, Tx } from "../../database/database.ts";
import type { Arrival } from "./hub-json.ts";
import type { HubCast } from "./parse-events.ts";

/** A cast that has no place in the index yet. */
export interface UnplacedCast {
  cast: HubCast;
  /** The event that brought it; undefined if it was only requested. */
  arrival: Arrival | undefined;
  /** When its author removed it, UNIX seconds, if that is known before its place. */
  removedAt?: number | undefined;
}

/**
 * The parent's author has cast in a linked channel, or is a member of one, so the parent may be there, too. The parents of
 * all other replies, most of the network's, are not requested.
 */
const mayBeOurs = sql<boolean>`parent_fid is not null and (
  exists (select from castellan.casts where casts.fid = parent_fid)
  or exists (select from castellan.listing_entries as entry where entry.fid = parent_fid and listing = 'members'))`;

/** Of a row named `reply`: its parent will be requested. */
export const isParentWanted = sql<boolean>`is_wanted and parent_fid is not null
  and not exists (select from castellan.requested_parents as asked where asked.hash = reply.parent_hash)`;

/**
 * Stores replies that came before their parent, which another shard may still bring, or which is requested. Requested
 * casts are those that other casts wait for. `now`: UNIX seconds.
 */
export async function storeWaitingReplies(
  tx: Tx,
  orphans: readonly UnplacedCast[],
  now: number,
): Promise<void> {
  if (orphans.length === 0) return;
  const rows = orphans.map(({ cast, arrival }) => ({
    hash: cast.hash,
    parent_hash: cast.parentHash,
    parent_fid: cast.parentFid,
    is_requested: arrival === undefined,
    merged_at: arrival?.mergedAt ?? now,
    cast_json: JSON.stringify(cast),
  }));
  await sql`
    insert into castellan.waiting_replies
      (hash, parent_hash, parent_fid, is_requested, is_wanted, merged_at, cast_json)
    select hash, parent_hash, parent_fid, is_requested, is_requested or ${mayBeOurs}, merged_at, cast_json
    from jsonb_populate_recordset(null::castellan.waiting_replies, ${JSON.stringify(rows)}::text::jsonb)
    on conflict (hash) do update set is_requested = false, merged_at = excluded.merged_at
      where waiting_replies.is_requested and not excluded.is_requested and waiting_replies.removed_at is null
  `.execute(tx);
}

/**
 * Wants the parents of replies merged before `until` (UNIX seconds) whose author was not known when the reply came: another
 * shard may have brought their first cast since.
 */
export async function wantParentsKnownSince(query: Queryable, until: number): Promise<void> {
  await sql`
    update castellan.waiting_replies set is_wanted = true
    where not is_wanted and merged_at < ${until} and ${mayBeOurs}
  `.execute(query);
}

/**
 * Until the commit no other shard's page is indexed. Otherwise a reply in one page and its parent in the other would miss
 * each other, because neither transaction sees uncommitted rows of the other.
 */
export async function lockWaitingReplies(tx: Tx): Promise<void> {
  await sql`lock table castellan.waiting_replies in share row exclusive mode`.execute(tx);
}

/** Takes out the replies that wait for these casts. */
export async function takeWaitingReplies(tx: Tx, parents: readonly string[]): Promise<UnplacedCast[]> {
  const { rows } = await sql<WaitingReply>`
    delete from castellan.waiting_replies where parent_hash = any(${[...parents]}::text[])
    returning merged_at, is_requested, removed_at, cast_json
  `.execute(tx);
  return rows.map(({ merged_at: mergedAt, is_requested, removed_at, cast_json }) => {
    const cast = JSON.parse(cast_json) as HubCast; // written by storeWaitingReplies
    if (removed_at !== null) return { cast, arrival: undefined, removedAt: removed_at };
    // They come after the whole page, because their parent is in it.
    return { cast, arrival: is_requested ? undefined : { mergedAt, order: Number.MAX_SAFE_INTEGER } };
  });
}

interface WaitingReply {
  merged_at: number;
  is_requested: boolean;
  removed_at: number | null;
  cast_json: string;
}

/** A reply removed by its author stays without its content, so that replies to it can be placed. */
export async function removeWaitingReplies(
  tx: Tx,
  removals: readonly { hash: string; mergedAt: number }[],
): Promise<void> {
  await sql`
    update castellan.waiting_replies as reply set removed_at = removal."mergedAt",
      cast_json = (cast_json::jsonb || '{"text": "", "embeds": [], "mentions": [], "mentionsPositions": [], "quotes": []}'::jsonb)::text
    from jsonb_to_recordset(${JSON.stringify(removals)}::text::jsonb) as removal (hash text, "mergedAt" bigint)
    where reply.hash = removal.hash and reply.removed_at is null
  `.execute(tx);
}
