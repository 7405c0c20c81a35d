import type { Selectable } from "kysely";
import type { Queryable } from "../../database/database.ts";
import type { ReviewItemTable } from "../../database/tables/rules-acts.ts";
import { AppError } from "../../errors.ts";
import { showNumber } from "../../text/numbered.ts";

export type ReviewItem = Selectable<ReviewItemTable>;

/** An item that a server's rules hold, by number. Throws `not_found`. */
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
    `There is no review ${showNumber("review", itemId)} in this server. /review list shows them.`,
  );
}

/** The same by the tag in its buttons. Throws `expired` for a tag that is not of this database. */
export async function requireItemByTag(db: Queryable, guildId: string, tag: string): Promise<ReviewItem> {
  // Postgres refuses to compare a uuid with anything else.
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
    "These buttons belong to another installation of Castellan, or to an older version. Nothing was done; /review list shows what waits here.",
  );
}

const Uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export interface OpenItems {
  guildId: string;
  channelId: string;
  queue?: string | undefined;
  /** Only numbers above this one. */
  after: number;
  limit: number;
}

/** What waits for a decision, oldest first. */
export function listOpenItems(db: Queryable, { guildId, channelId, queue, after, limit }: OpenItems) {
  return db
    .selectFrom("castellan.review_items")
    .select(["id", "queue", "rule_id", "fid", "held_at_ms", "claimed_by"])
    .where("state", "=", "open")
    .where("guild_id", "=", guildId)
    .where("channel_id", "=", channelId)
    .where("id", ">", after)
    .$if(queue !== undefined, (query) => query.where("queue", "=", queue ?? ""))
    .orderBy("id")
    .limit(limit)
    .execute();
}

/** How many of a server's items are undecided. */
export async function countOpenItems(db: Queryable, guildId: string): Promise<number> {
  const { waiting } = await db
    .selectFrom("castellan.review_items")
    .select((query) => query.fn.countAll<number>().as("waiting"))
    .where("state", "=", "open")
    .where("guild_id", "=", guildId)
    .executeTakeFirstOrThrow();
  return waiting;
}

/** How many items a server held, decided or not, about a user in a channel. */
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
    .executeTakeFirstOrThrow();
  return held;
}

/** Notes who is looking at it; false where somebody else is, or it is decided. */
export async function claimItem(
  db: Queryable,
  itemId: number,
  userId: string,
  now: number,
): Promise<boolean> {
  const claimed = await db
    .updateTable("castellan.review_items")
    .set({ claimed_by: userId, claimed_at_ms: now })
    .where("id", "=", itemId)
    .where("state", "=", "open")
    .where("claimed_by", "is", null)
    .executeTakeFirst();
  return claimed.numUpdatedRows > 0n;
}
