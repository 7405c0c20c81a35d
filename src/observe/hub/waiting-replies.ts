import { sql } from "kysely";
import type { Tx } from "../../database/database.ts";
import type { Arrival } from "./hub-json.ts";
import type { HubCast } from "./parse-events.ts";

/** A cast that has no place in the index yet; `told`: by which event, where it was not only asked for. */
export interface UnplacedCast {
  cast: HubCast;
  told: Arrival | undefined;
  /** When its author took it away, UNIX seconds, where that is known before its place. */
  removedAt?: number | undefined;
}

/**
 * Whoever wrote the parent has cast in a linked channel, or is a member of one: then the parent may be there, too. Of all
 * other replies, which are most of the network's, nobody asks for the parent.
 */
const isOfOurs = sql<boolean>`parent_fid is not null and (
  exists (select from castellan.casts where casts.fid = parent_fid)
  or exists (select from castellan.listing_entries as entry where entry.fid = parent_fid and listing = 'members'))`;

/**
 * Keeps replies that came before their parent, of which another shard may be yet to tell, or that the hub is asked for. What
 * was asked for itself is what others wait for. `now`: UNIX seconds.
 */
export async function storeWaitingReplies(
  tx: Tx,
  orphans: readonly UnplacedCast[],
  now: number,
): Promise<void> {
  if (orphans.length === 0) return;
  const rows = orphans.map(({ cast, told }) => ({
    hash: cast.hash,
    parent_hash: cast.parentHash,
    parent_fid: cast.parentFid,
    is_asked: told === undefined,
    merged_at: told?.mergedAt ?? now,
    cast_json: JSON.stringify(cast),
  }));
  await sql`
    insert into castellan.waiting_replies
      (hash, parent_hash, parent_fid, is_asked, is_wanted, merged_at, cast_json)
    select hash, parent_hash, parent_fid, is_asked, is_asked or ${isOfOurs}, merged_at, cast_json
    from jsonb_populate_recordset(null::castellan.waiting_replies, ${JSON.stringify(rows)}::text::jsonb)
    on conflict (hash) do update set is_asked = false, merged_at = excluded.merged_at
      where waiting_replies.is_asked and not excluded.is_asked and waiting_replies.removed_at is null
  `.execute(tx);
}

/**
 * Until the commit no other shard's page is indexed: a reply in one and its parent in the other would each miss the other, for
 * what is not committed nobody sees.
 */
export async function lockWaitingReplies(tx: Tx): Promise<void> {
  await sql`lock table castellan.waiting_replies in share row exclusive mode`.execute(tx);
}

/** Takes those out that wait for these casts. */
export async function takeWaitingReplies(tx: Tx, parents: readonly string[]): Promise<UnplacedCast[]> {
  const { rows } = await sql<WaitingReply>`
    delete from castellan.waiting_replies where parent_hash = any(${[...parents]}::text[])
    returning merged_at, is_asked, removed_at, cast_json
  `.execute(tx);
  return rows.map(({ merged_at: mergedAt, is_asked, removed_at, cast_json }) => {
    // Written by storeWaitingReplies; earlier versions left these two out.
    const stored = JSON.parse(cast_json) as Omit<HubCast, Later> & Partial<Pick<HubCast, Later>>;
    const cast: HubCast = { mentionsPositions: [], quotes: [], ...stored };
    if (removed_at !== null) return { cast, told: undefined, removedAt: removed_at };
    // After all of a page, for their parent is among that.
    return { cast, told: is_asked ? undefined : { mergedAt, order: Number.MAX_SAFE_INTEGER } };
  });
}

type Later = "mentionsPositions" | "quotes";

interface WaitingReply {
  merged_at: number;
  is_asked: boolean;
  removed_at: number | null;
  cast_json: string;
}

/** Of replies that their authors took away only the place is kept, for what replies to them. */
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
