import type { Clock } from "../../clock.ts";
import type { Queryable, Tx } from "../../database/database.ts";
import { newEvent, type NewChannelEvent } from "../../observe/events.ts";

/** A user in a channel, as one server sees them. */
export interface Person {
  guildId: string;
  channelId: string;
  fid: number;
}

/** The strike points that count against a user in a channel of a server now. */
export async function countStrikes(
  db: Queryable,
  clock: Clock,
  guildId: string,
  channelId: string,
  fid: number,
): Promise<number> {
  const { total } = await db
    .selectFrom("castellan.strikes")
    .select((query) => query.fn.sum<number | null>("points").as("total"))
    .where("guild_id", "=", guildId)
    .where("channel_id", "=", channelId)
    .where("fid", "=", fid)
    .where("removed_at_ms", "is", null)
    .where((is) => is.or([is("expires_at_ms", "is", null), is("expires_at_ms", ">", clock.now())]))
    .executeTakeFirstOrThrow();
  return total ?? 0;
}

/** Rows about a person, newest first: how many, and below which id. */
interface PageOfRows {
  limit: number;
  before?: number | undefined;
}

/** A user's strikes, newest first, with those that count no more; and how many there are in all. */
export async function listStrikes(
  db: Queryable,
  { guildId, channelId, fid }: Person,
  { limit, before }: PageOfRows,
) {
  const given = db
    .selectFrom("castellan.strikes")
    .where("guild_id", "=", guildId)
    .where("channel_id", "=", channelId)
    .where("fid", "=", fid);
  const strikes = given
    .selectAll()
    .$if(before !== undefined, (older) => older.where("id", "<", before ?? 0))
    .orderBy("id", "desc")
    .limit(limit)
    .execute();
  const count = given.select((row) => row.fn.countAll<number>().as("all")).executeTakeFirstOrThrow();
  return { strikes: await strikes, all: (await count).all };
}

/** Points that somebody gives by hand, and how many count now; the event is to be appended. */
export async function giveStrike(
  tx: Tx,
  clock: Clock,
  { guildId, channelId, fid }: Person,
  strike: { points: number; reason: string | undefined; forSeconds: number | undefined; userId: string },
): Promise<{ id: number; total: number; event: NewChannelEvent }> {
  const { points, reason, forSeconds, userId } = strike;
  const now = clock.now();
  const { id } = await tx
    .insertInto("castellan.strikes")
    .values({
      guild_id: guildId,
      channel_id: channelId,
      fid,
      points,
      given_at_ms: now,
      expires_at_ms: forSeconds === undefined ? null : now + forSeconds * 1000,
      given_by: userId,
      reason,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  const total = await countStrikes(tx, clock, guildId, channelId, fid);
  const event = newEvent(now, {
    // Rules find by it which event gave the points (author-record.ts).
    sourceKey: `strike by hand ${id}`,
    kind: "strike.added",
    channelId,
    subjectFid: fid,
    data: { guildId, ruleId: null, userId, points, total },
  });
  return { id, total, event };
}

export function findStrike(db: Queryable, guildId: string, id: number) {
  return db
    .selectFrom("castellan.strikes")
    .selectAll()
    .where("id", "=", id)
    .where("guild_id", "=", guildId)
    .executeTakeFirst();
}

/** Takes a strike back, once; false where somebody did before. */
export async function removeStrike(
  db: Queryable,
  clock: Clock,
  id: number,
  userId: string,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("castellan.strikes")
    .set({ removed_by: userId, removed_at_ms: clock.now() })
    .where("id", "=", id)
    .where("removed_at_ms", "is", null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** What rules and moderators wrote down about a user and nobody took back, newest first; and how many notes that are. */
export async function listNotes(
  db: Queryable,
  { guildId, channelId, fid }: Person,
  { limit, before }: PageOfRows,
) {
  const written = db
    .selectFrom("castellan.user_notes")
    .where("guild_id", "=", guildId)
    .where("channel_id", "=", channelId)
    .where("fid", "=", fid)
    .where("removed_at_ms", "is", null);
  const notes = written
    .select(["id", "text", "rule_id", "written_by", "written_at_ms"])
    .$if(before !== undefined, (older) => older.where("id", "<", before ?? 0))
    .orderBy("id", "desc")
    .limit(limit)
    .execute();
  const count = written.select((row) => row.fn.countAll<number>().as("all")).executeTakeFirstOrThrow();
  return { notes: await notes, all: (await count).all };
}

/** A moderator's own note. */
export async function writeNote(
  db: Queryable,
  clock: Clock,
  { guildId, channelId, fid }: Person,
  { text, userId }: { text: string; userId: string },
): Promise<void> {
  await db
    .insertInto("castellan.user_notes")
    .values({
      guild_id: guildId,
      channel_id: channelId,
      fid,
      text,
      written_at_ms: clock.now(),
      written_by: userId,
    })
    .execute();
}
