import { sql, type RawBuilder, type Selectable } from "kysely";
import type { Queryable, Tx } from "../../database/database.ts";
import type { CastTable } from "../../database/tables/network.ts";
import { AppError } from "../../errors.ts";
import { addressedBy, type CastVisibility } from "../domain/cast-visibility.ts";
import type { CastMessage } from "../domain/hub-event.ts";

export type CastRow = Selectable<CastTable>;

/** A cast that is there: an unknown or removed one is `not_found`. */
export async function requireCast(db: Queryable, hash: string): Promise<CastRow> {
  const cast = await findCast(db, hash);
  if (!cast || cast.removed_at !== null) throw new AppError("not_found", `There is no cast ${hash}.`);
  return cast;
}

/** A cast, also a removed one. */
export function findCast(db: Queryable, hash: string): Promise<CastRow | undefined> {
  return db.selectFrom("network.casts").selectAll().where("hash", "=", hash).executeTakeFirst();
}

/** Where a cast stands among others of the same parent: they are in order of time, then of hash. */
export type CastPlace = Pick<CastRow, "timestamp" | "hash">;

interface CastRange {
  /** Of a channel, for its root casts. */
  url?: string;
  /** For its replies. */
  parent?: { fid: number; hash: string };
  /** The last cast of the page before. */
  after: CastPlace | undefined;
  size: number;
  reverse: boolean;
}

/** A cast that is there, as hubs know it. */
export async function readCastMessage(
  db: Queryable,
  { fid, hash }: { fid: number; hash: string },
): Promise<CastMessage | undefined> {
  const row = await castsWithParents(db)
    .where("cast.hash", "=", hash)
    .where("cast.fid", "=", fid)
    .executeTakeFirst();
  return row && toMessage(row);
}

/** Casts that are there, hidden ones among them: hubs know nothing of hiding. */
export async function readCastsByParent(db: Queryable, range: CastRange): Promise<CastMessage[]> {
  const { url, parent, after, size, reverse } = range;
  const direction = reverse ? "desc" : "asc";
  const rows = await castsWithParents(db)
    .where((eb) =>
      parent
        ? eb.and([eb("cast.parent_hash", "=", parent.hash), eb("parent.fid", "=", parent.fid)])
        : eb("cast.parent_url", "=", url ?? ""),
    )
    .$if(after !== undefined, (query) =>
      query.where(
        sql<boolean>`("cast".timestamp, "cast".hash) ${sql.raw(reverse ? "<" : ">")} (${after?.timestamp}::bigint, ${after?.hash}::text)`,
      ),
    )
    .orderBy("cast.timestamp", direction)
    .orderBy("cast.hash", direction)
    .limit(size)
    .execute();
  return rows.map(toMessage);
}

function castsWithParents(db: Queryable) {
  return db
    .selectFrom("network.casts as cast")
    .leftJoin("network.casts as parent", "parent.hash", "cast.parent_hash")
    .select([
      "cast.hash",
      "cast.fid",
      "cast.text",
      "cast.timestamp",
      "cast.mentions",
      "cast.embeds",
      "cast.parent_url",
      "cast.parent_hash",
      "parent.fid as parent_fid",
    ])
    .where("cast.removed_at", "is", null);
}
type CastWithParent = Awaited<ReturnType<ReturnType<typeof castsWithParents>["execute"]>>[number];

function toMessage({ parent_url, parent_hash, parent_fid, ...cast }: CastWithParent): CastMessage {
  return {
    ...cast,
    ...(parent_url !== null && { parentUrl: parent_url }),
    ...(parent_hash !== null && parent_fid !== null && { parent: { fid: parent_fid, hash: parent_hash } }),
  };
}

export function visibilityOf(cast: CastRow): CastVisibility {
  return {
    hiddenByModeration: cast.hidden_by_moderation,
    hiddenByBan: cast.hidden_by_ban,
    hiddenOnEntry: cast.hidden_on_entry,
  };
}

export async function saveVisibility(tx: Tx, hash: string, visibility: CastVisibility): Promise<void> {
  await tx
    .updateTable("network.casts")
    .set({
      hidden_by_moderation: visibility.hiddenByModeration,
      hidden_by_ban: visibility.hiddenByBan,
      hidden_on_entry: visibility.hiddenOnEntry,
    })
    .where("hash", "=", hash)
    .execute();
}

/** A cast's row as `insertCasts` takes it, in JSON. */
export function castRecord(cast: CastMessage, channelId: string | null) {
  return {
    hash: cast.hash,
    fid: cast.fid,
    text: cast.text,
    timestamp: cast.timestamp,
    channel_id: channelId,
    parent_url: cast.parentUrl ?? null,
    parent_hash: cast.parent?.hash ?? null,
    mentions: cast.mentions,
    embeds: cast.embeds,
    addressed: addressedBy(cast),
  };
}

/**
 * The statement that inserts casts, hidden where they break a rule that is older than they are (decisions.md, "casts that
 * enter later"): replies by banned users, root casts by outsiders in a members-only channel, and whatever a blocked user
 * addresses to those who block them. `records` are rows of (record), as `castRecord` makes them, in order.
 */
export function insertCasts(records: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    insert into network.casts (
      hash, fid, text, timestamp, channel_id, parent_url, parent_hash, mentions, embeds, hidden_by_ban,
      hidden_on_entry)
    select entry.hash, entry.fid, entry.text, entry.timestamp, entry.channel_id, entry.parent_url,
      entry.parent_hash, entry.mentions, entry.embeds,
      entry.parent_hash is not null and bans.fid is not null,
      entry.parent_hash is null and not coalesce(channels.public_casting, true) and memberships.fid is null
        or exists (
          select from network.blocks
          where blocked_fid = entry.fid and (
            record -> 'addressed' -> 'fids' @> to_jsonb(blocker_fid)
            or exists (
              select from network.casts as quoted
              where quoted.fid = blocker_fid and record -> 'addressed' -> 'quoted' ? quoted.hash
            )
          )
        )
    from ${records} as records
    cross join lateral jsonb_populate_record(null::network.casts, record) as entry
    left join network.channels on channels.id = entry.channel_id
    left join network.bans on bans.channel_id = entry.channel_id and bans.fid = entry.fid
    left join network.memberships
      on memberships.channel_id = entry.channel_id and memberships.fid = entry.fid`;
}
