import type { Clock } from "../../clock.ts";
import type { Queryable, Tx } from "../../database/database.ts";
import { newEvent, type NewChannelEvent } from "../../observe/events.ts";
import { ownActionKey, type ActionOrigin } from "./action.ts";

/** A user in a channel, for one server. */
export interface Person {
  guildId: string;
  channelId: string;
  fid: number;
}

/** A user in several channels of the server. */
export interface PersonInChannels {
  guildId: string;
  channelIds: readonly string[];
  fid: number;
}

/** A user's strike points in force, by channel. */
export async function countStrikesIn(
  db: Queryable,
  clock: Clock,
  person: PersonInChannels,
): Promise<Map<string, number>> {
  const rows = await selectCounting(db, clock, person)
    .select((query) => ["channel_id", query.fn.sum<number>("points").as("total")])
    .groupBy("channel_id")
    .execute();
  return new Map(rows.map(({ channel_id, total }) => [channel_id, total]));
}

export async function countStrikes(
  db: Queryable,
  clock: Clock,
  { guildId, channelId, fid }: Person,
): Promise<number> {
  return (await countStrikesIn(db, clock, { guildId, channelIds: [channelId], fid })).get(channelId) ?? 0;
}

/** A page of rows about a person, newest first: its size, and the id it starts below. */
interface PageOfRows {
  limit: number;
  before?: number | undefined;
}

/** A user's active strikes, newest first, and their total number. */
export async function listStrikes(db: Queryable, clock: Clock, person: PersonInChannels, limit: number) {
  const counting = selectCounting(db, clock, person);
  const strikes = counting.selectAll().orderBy("id", "desc").limit(limit).execute();
  const count = counting.select((row) => row.fn.countAll<number>().as("all")).executeTakeFirstOrThrow();
  return { strikes: await strikes, all: (await count).all };
}

function selectCounting(db: Queryable, clock: Clock, { guildId, channelIds, fid }: PersonInChannels) {
  return db
    .selectFrom("castellan.strikes")
    .where("guild_id", "=", guildId)
    .where("channel_id", "in", [...channelIds])
    .where("fid", "=", fid)
    .where("removed_at_ms", "is", null)
    .where((is) => is.or([is("expires_at_ms", "is", null), is("expires_at_ms", ">", clock.now())]));
}

/** The person who gives it, or the rule's action. */
type Giver = { userId: string } | { origin: ActionOrigin };

interface Strike {
  points: number;
  /** How long they count; permanent if undefined. */
  forSeconds: number | undefined;
  reason?: string | undefined;
}

interface GivenStrike {
  id: number;
  /** The points in force now. */
  total: number;
  /** To append. */
  event: NewChannelEvent;
}

/** Gives points. A rule's action gives them only once; returns undefined if it already did. */
export function giveStrike(
  tx: Tx,
  clock: Clock,
  person: Person,
  strike: Strike & { userId: string },
): Promise<GivenStrike>;
export function giveStrike(
  tx: Tx,
  clock: Clock,
  person: Person,
  strike: Strike & Giver,
): Promise<GivenStrike | undefined>;
export async function giveStrike(
  tx: Tx,
  clock: Clock,
  { guildId, channelId, fid }: Person,
  strike: Strike & Giver,
): Promise<GivenStrike | undefined> {
  const { points, reason, forSeconds } = strike;
  const now = clock.now();
  const inserted = await tx
    .insertInto("castellan.strikes")
    .values({
      guild_id: guildId,
      channel_id: channelId,
      fid,
      points,
      given_at_ms: now,
      expires_at_ms: forSeconds === undefined ? null : now + forSeconds * 1000,
      reason,
      ...("origin" in strike
        ? { ...originColumns(strike.origin), rule_version: strike.origin.ruleVersion }
        : { given_by: strike.userId }),
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning("id")
    .executeTakeFirst();
  if (!inserted) return undefined;
  const { id } = inserted;
  const total = await countStrikes(tx, clock, { guildId, channelId, fid });
  const common = { kind: "strike.added", channelId, subjectFid: fid } as const;
  const event =
    "origin" in strike
      ? newEvent(now, {
          ...common,
          sourceKey: strikeKey(strike.origin),
          depth: strike.origin.depth,
          data: { guildId, ruleId: strike.origin.ruleId, points, total, eventId: strike.origin.eventId },
        })
      : newEvent(now, {
          ...common,
          sourceKey: `strike by hand ${id}`,
          data: { guildId, ruleId: null, userId: strike.userId, points, total },
        });
  return { id, total, event };
}

/** Rules use it, and the key of a manual strike, to find the event that gave the points (author-record.ts). */
function strikeKey(origin: ActionOrigin): string {
  return `strike ${ownActionKey(origin)}`;
}

function originColumns({ eventId, ruleId, actionIndex, actionSource, reviewRound }: ActionOrigin) {
  return {
    event_id: eventId,
    rule_id: ruleId,
    action_index: actionIndex,
    action_source: actionSource,
    review_round: reviewRound,
  };
}

export function findStrike(db: Queryable, guildId: string, id: number) {
  return db
    .selectFrom("castellan.strikes")
    .selectAll()
    .where("id", "=", id)
    .where("guild_id", "=", guildId)
    .executeTakeFirst();
}

/** Removes a strike, once; false if it was already removed. */
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

/** Notes on a user by rules and moderators, without removed ones, newest first, and their total number. */
export async function listNotes(
  db: Queryable,
  { guildId, channelIds, fid }: PersonInChannels,
  { limit, before }: PageOfRows,
) {
  const written = db
    .selectFrom("castellan.user_notes")
    .where("guild_id", "=", guildId)
    .where("channel_id", "in", [...channelIds])
    .where("fid", "=", fid)
    .where("removed_at_ms", "is", null);
  const notes = written
    .select(["id", "channel_id", "text", "rule_id", "written_by", "written_at_ms"])
    .$if(before !== undefined, (older) => older.where("id", "<", before ?? 0))
    .orderBy("id", "desc")
    .limit(limit)
    .execute();
  const count = written.select((row) => row.fn.countAll<number>().as("all")).executeTakeFirstOrThrow();
  return { notes: await notes, all: (await count).all };
}

/** Adds a note on a person, and returns its number. A rule's action adds it only once. */
export async function writeNote(
  db: Queryable,
  clock: Clock,
  { guildId, channelId, fid }: Person,
  note: { text: string } & Giver,
): Promise<number | undefined> {
  const written = await db
    .insertInto("castellan.user_notes")
    .values({
      guild_id: guildId,
      channel_id: channelId,
      fid,
      text: note.text,
      written_at_ms: clock.now(),
      ...("origin" in note ? originColumns(note.origin) : { written_by: note.userId }),
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning("id")
    .executeTakeFirst();
  return written?.id;
}

export function findNote(db: Queryable, guildId: string, id: number) {
  return db
    .selectFrom("castellan.user_notes")
    .selectAll()
    .where("id", "=", id)
    .where("guild_id", "=", guildId)
    .executeTakeFirst();
}

/** Removes a note, once; false if it was already removed. */
export async function removeNote(db: Queryable, clock: Clock, id: number, userId: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("castellan.user_notes")
    .set({ removed_by: userId, removed_at_ms: clock.now() })
    .where("id", "=", id)
    .where("removed_at_ms", "is", null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
