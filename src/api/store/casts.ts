import { sql, type RawBuilder, type Selectable, type SqlBool } from "kysely";
import type { Queryable, Tx } from "../../database/database.ts";
import type { CastTable } from "../../database/tables/network.ts";
import { AppError } from "../../errors.ts";
import { addressedBy, type CastVisibility } from "../domain/cast-visibility.ts";
import type { CastMessage, RemovalMessage } from "../domain/hub-event.ts";

export type CastRow = Selectable<CastTable>;

/** An existing cast; an unknown or removed one is `not_found`. */
export async function requireCast(db: Queryable, hash: string): Promise<CastRow> {
  const cast = await findCast(db, hash);
  if (!cast || cast.removed_at !== null) throw new AppError("not_found", `There is no cast ${hash}.`);
  return cast;
}

/** A cast, even a removed one. */
export async function findCast(db: Queryable, hash: string): Promise<CastRow | undefined> {
  return db.selectFrom("network.casts").selectAll().where("hash", "=", hash).executeTakeFirst();
}

/** A cast's position among those of the same parent, ordered by time, then hash. */
export type CastPlace = Pick<CastRow, "timestamp" | "hash">;

interface PageRange {
  /** The last position of the previous page. */
  after: CastPlace | undefined;
  size: number;
  reverse: boolean;
}

interface ParentRange extends PageRange {
  /** A channel's url, for its root casts. */
  url?: string;
  /** The parent cast, for its replies. */
  parent?: { fid: number; hash: string };
}

interface AuthorRange extends PageRange {
  fid: number;
  /** UNIX seconds, both inclusive. */
  start: number;
  stop: number;
}

/** Existing casts, including hidden ones, because hubs do not know about hiding. */
export async function readCastsByParent(db: Queryable, range: ParentRange): Promise<CastMessage[]> {
  const { url, parent } = range;
  const rows = await selectMessages(db)
    .where((eb) =>
      parent
        ? eb.and([eb("cast.parent_hash", "=", parent.hash), eb("parent.fid", "=", parent.fid)])
        : eb("cast.parent_url", "=", url ?? ""),
    )
    .where("cast.removed_at", "is", null)
    .where(afterPlace("cast", range))
    .orderBy(placeIn("cast", range))
    .limit(range.size)
    .execute();
  return rows.map(toCastMessage);
}

/** An author's existing casts. */
export async function readCastsByAuthor(db: Queryable, range: AuthorRange): Promise<CastMessage[]> {
  const rows = await selectMessages(db)
    .where("cast.fid", "=", range.fid)
    .where("cast.removed_at", "is", null)
    .where(sql<boolean>`"cast".timestamp between ${range.start}::bigint and ${range.stop}::bigint`)
    .where(afterPlace("cast", range))
    .orderBy(placeIn("cast", range))
    .limit(range.size)
    .execute();
  return rows.map(toCastMessage);
}

/** An author's messages that remove casts. */
export async function readRemovalsByAuthor(db: Queryable, range: AuthorRange): Promise<RemovalMessage[]> {
  const rows = await db
    .selectFrom("network.cast_removals as removal")
    .selectAll()
    .where("removal.fid", "=", range.fid)
    .where(sql<boolean>`removal.timestamp between ${range.start}::bigint and ${range.stop}::bigint`)
    .where(afterPlace("removal", range))
    .orderBy(placeIn("removal", range))
    .limit(range.size)
    .execute();
  return rows.map(({ target_hash: targetHash, ...removal }) => ({ ...removal, targetHash }));
}

/** After the previous page. */
function afterPlace(table: "cast" | "removal", { after, reverse }: PageRange): RawBuilder<SqlBool> {
  if (!after) return sql`true`;
  const place = sql`(${sql.ref(`${table}.timestamp`)}, ${sql.ref(`${table}.hash`)})`;
  return sql`${place} ${sql.raw(reverse ? "<" : ">")} (${after.timestamp}::bigint, ${after.hash}::text)`;
}

function placeIn(table: "cast" | "removal", { reverse }: PageRange): RawBuilder<unknown> {
  const direction = sql.raw(reverse ? "desc" : "asc");
  return sql`${sql.ref(`${table}.timestamp`)} ${direction}, ${sql.ref(`${table}.hash`)} ${direction}`;
}

export async function insertRemoval(tx: Tx, { targetHash, ...removal }: RemovalMessage): Promise<void> {
  await tx
    .insertInto("network.cast_removals")
    .values({ target_hash: targetHash, ...removal })
    .execute();
}

/** A cast as its author made it, unless it was removed. */
export async function findCastMessage(db: Queryable, hash: string): Promise<CastMessage | undefined> {
  const query = selectMessages(db).where("cast.hash", "=", hash).where("cast.removed_at", "is", null);
  const row = await query.executeTakeFirst();
  return row && toCastMessage(row);
}

function selectMessages(db: Queryable) {
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
      "cast.signer",
      "cast.signature",
    ]);
}

type MessageRow = Awaited<ReturnType<ReturnType<typeof selectMessages>["executeTakeFirstOrThrow"]>>;

function toCastMessage({ parent_url, parent_hash, parent_fid, ...cast }: MessageRow): CastMessage {
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

/** A cast's row in JSON, for `insertCasts`. */
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
    signer: cast.signer ?? null,
    signature: cast.signature ?? null,
  };
}

/**
 * The statement that inserts casts, hidden if an older rule applies: replies by banned users, root casts by outsiders
 * in a members-only channel, and casts by blocked users that address those who block them. `records` are ordered rows
 * of (record), as `castRecord` makes them.
 */
export function insertCasts(records: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    insert into network.casts (
      hash, fid, text, timestamp, channel_id, parent_url, parent_hash, mentions, embeds, signer,
      signature, hidden_by_ban, hidden_on_entry)
    select entry.hash, entry.fid, entry.text, entry.timestamp, entry.channel_id, entry.parent_url,
      entry.parent_hash, entry.mentions, entry.embeds, entry.signer, entry.signature,
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
