import { sql, type Selectable } from "kysely";
import type { Queryable } from "../database/database.ts";
import type { CastExtras } from "../database/tables/bot.ts";
import type { ReviewItemTable } from "../database/tables/rules-acts.ts";
import { AppError } from "../errors.ts";
import { claimLasts } from "../limits/claim-lasts.ts";
import { showNumber } from "../text/numbered.ts";
import { idOfSource } from "../text/review-sources.ts";

export type ReviewItem = Selectable<ReviewItemTable>;

/** A review item of a server, by number. Throws `not_found`. */
export async function requireItem(db: Queryable, guildId: string, itemId: number): Promise<ReviewItem> {
  const item = await db
    .selectFrom("castellan.review_items")
    .selectAll()
    .where("id", "=", itemId)
    .where("guild_id", "=", guildId)
    .executeTakeFirst();
  if (item) return item;
  throw new AppError(
    "not_found",
    `There is no review ${showNumber("review", itemId)} in this server. /review show lists them.`,
  );
}

/** The same by the tag in its buttons. Throws `expired` for a tag from another database. */
export async function requireItemByTag(db: Queryable, guildId: string, tag: string): Promise<ReviewItem> {
  // Postgres cannot compare a uuid with other text.
  const item = Uuid.test(tag)
    ? await db
        .selectFrom("castellan.review_items")
        .selectAll()
        .where("tag", "=", tag)
        .where("guild_id", "=", guildId)
        .executeTakeFirst()
    : undefined;
  if (item) return item;
  throw new AppError(
    "expired",
    "These buttons belong to another installation of Castellan, or to an older version. Nothing was done; /review show lists this server's reviews.",
  );
}

const Uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

interface OpenItems {
  guildId: string;
  /** Items in any of these channels. */
  channelIds: readonly string[];
  queue?: string | undefined;
  ruleId?: string | undefined;
  fid?: number | undefined;
  /** Only numbers greater than this. */
  after: number;
  limit: number;
}

/** A review that waits for a decision, in its remaining channels. */
export interface OpenReview {
  id: number;
  queue: string;
  ruleId: string;
  fid: number | null;
  queuedAtMs: number;
  claimedBy: string | null;
  claimedAtMs: number | null;
  escalatedBy: string | null;
  channelIds: string[];
  evidence: string | null;
  evidenceExtras: CastExtras | null;
}

/** Open reviews, oldest first. */
export async function listOpenItems(
  db: Queryable,
  { guildId, channelIds, queue, ruleId, fid, after, limit }: OpenItems,
): Promise<OpenReview[]> {
  const { rows } = await sql<OpenReview>`
    select head.id, head.queue, head.rule_id as "ruleId", head.fid, head.queued_at_ms as "queuedAtMs",
      head.claimed_by as "claimedBy", head.claimed_at_ms as "claimedAtMs", head.escalated_by as "escalatedBy",
      head.evidence, head.evidence_extras as "evidenceExtras",
      array_agg(item.channel_id order by item.id) as "channelIds"
    from castellan.review_items as item
    join castellan.review_items as head on head.id = coalesce(item.head_id, item.id)
    where item.state = 'open' and item.guild_id = ${guildId} and item.channel_id = any(${[...channelIds]}::text[])
      and head.id > ${after} and head.queue = coalesce(${queue ?? null}::text, head.queue)
      and head.rule_id = coalesce(${ruleId ?? null}::text, head.rule_id)
      and (${fid ?? null}::bigint is null or head.fid = ${fid ?? null}::bigint)
    group by head.id order by head.id limit ${limit}
  `.execute(db);
  return rows;
}

/** The latest decisions in these channels, newest first; a review over several channels appears once, as its head. */
export async function listDecidedItems(
  db: Queryable,
  guildId: string,
  channelIds: readonly string[],
  limit: number,
): Promise<Pick<ReviewItem, "id" | "state" | "fid" | "channel_id" | "decided_at_ms">[]> {
  if (channelIds.length === 0) return [];
  return db
    .selectFrom("castellan.review_items")
    .select(["id", "state", "fid", "channel_id", "decided_at_ms"])
    .where("guild_id", "=", guildId)
    .where("channel_id", "in", [...channelIds])
    .where("decided_at_ms", "is not", null)
    .where("state", "<>", "open")
    .where("head_id", "is", null)
    .orderBy("decided_at_ms", "desc")
    .limit(limit)
    .execute();
}

/** The number of a server's open reviews in the channels that it has linked. */
export async function countOpenItems(db: Queryable, guildId: string): Promise<number> {
  const { waiting } = await db
    .selectFrom("castellan.review_items")
    .select(sql<number>`count(distinct coalesce(head_id, id))`.as("waiting"))
    .where("state", "=", "open")
    .where("guild_id", "=", guildId)
    .where("channel_id", "in", (query) =>
      query.selectFrom("castellan.links").select("channel_id").where("guild_id", "=", guildId),
    )
    .executeTakeFirstOrThrow();
  return waiting;
}

/** The number of a server's review items, decided or not, about a user in a channel. */
export async function countReviews(
  db: Queryable,
  { guildId, channelId }: { guildId: string; channelId: string },
  fid: number,
): Promise<number> {
  const { held } = await db
    .selectFrom("castellan.review_items")
    .select((query) => query.fn.countAll<number>().as("held"))
    .where("guild_id", "=", guildId)
    .where("channel_id", "=", channelId)
    .where("fid", "=", fid)
    // Their own wish is nothing against them.
    .where("rule_id", "<>", idOfSource.appeal)
    .executeTakeFirstOrThrow();
  return held;
}

/** Open reviews in these channels, and how quickly reviews are usually decided there. */
export interface ReviewLoad {
  queues: { queue: string; waiting: number }[];
  claimed: number;
  escalated: number;
  /** UNIX milliseconds; null if none is open. */
  oldestMs: number | null;
  /** Median milliseconds from creation to decision, over the last seven days; null if none was decided. */
  usualMs: number | null;
}

const week = 7 * 86_400_000;

/** `now` in UNIX milliseconds. */
export async function readLoad(
  db: Queryable,
  guildId: string,
  channelIds: readonly string[],
  now: number,
): Promise<ReviewLoad> {
  const ids = [...channelIds];
  const { rows } = await sql<{
    queue: string;
    waiting: number;
    claimed: number;
    escalated: number;
    oldest: number;
  }>`
    select queue, count(*)::int as waiting, min(queued_at_ms) as oldest,
      (count(*) filter (where claimed_at_ms > ${now - claimLasts}))::int as claimed,
      (count(*) filter (where escalated_by is not null))::int as escalated
    from castellan.review_items where id in (
      select coalesce(head_id, id) from castellan.review_items
      where state = 'open' and guild_id = ${guildId} and channel_id = any(${ids}::text[]))
    group by queue order by waiting desc, queue
  `.execute(db);
  const { rows: decided } = await sql<{ usual: number | null }>`
    select percentile_cont(0.5) within group (order by decided_at_ms - queued_at_ms)::float8 as usual
    from castellan.review_items
    where state <> 'open' and head_id is null and guild_id = ${guildId} and channel_id = any(${ids}::text[])
      and decided_at_ms > ${now - week}
  `.execute(db);
  const sum = (key: "claimed" | "escalated") => rows.reduce((total, row) => total + row[key], 0);
  return {
    queues: rows.map(({ queue, waiting }) => ({ queue, waiting })),
    claimed: sum("claimed"),
    escalated: sum("escalated"),
    oldestMs: rows.length === 0 ? null : Math.min(...rows.map(({ oldest }) => oldest)),
    usualMs: decided[0]?.usual ?? null,
  };
}

/** Whether a queue of the server ever had an item. */
export async function isKnownQueue(db: Queryable, guildId: string, queue: string): Promise<boolean> {
  const row = await db
    .selectFrom("castellan.review_items")
    .select("id")
    .where("guild_id", "=", guildId)
    .where("queue", "=", queue)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
