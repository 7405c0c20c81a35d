import { sql } from "kysely";
import type { BotContext } from "../bot-context.ts";
import type { Queryable, Tx } from "../database/database.ts";
import { AppError } from "../errors.ts";
import { announceSetupChange, recordSetupChange } from "../observe/setup-changes.ts";
import type { FeedKind } from "./feed-kinds.ts";
import { forgetPause, lockRoom } from "./room-changes.ts";
import { nameAudience } from "./room-settings.ts";

export interface NewFeed {
  guildId: string;
  roomId: string;
  /** null: every channel linked to the server, now and later. */
  channelIds: string[] | null;
  kinds: FeedKind[];
  /** For name proofs: only names that match, with `*` for any characters. */
  namePattern: string | null;
  /** For name proofs: only members of the server's channels. */
  peopleOnly: boolean;
  /** Discord user id. */
  createdBy: string;
}

export interface Feed extends NewFeed {
  id: number;
  createdAtMs: number;
  /** When and why it ended, as people read it; null while it lasts. */
  ended: { atMs: number; reason: string } | null;
  roomQueue: RoomQueueState;
}

/** The state of delivery to a room. */
export interface RoomQueueState {
  /** Events that wait to be sent. */
  waiting: number;
  /** Messages that AutoMod blocks, and that are retried. */
  blocked: number;
  /** Messages that Discord refused. */
  parked: number;
  /** The Discord role mentioned there, if any. */
  mentionRole: string | null;
  /** The language of the posts. */
  locale: string;
  /** The posts are for readers, not for moderators. */
  forReaders: boolean;
  /** When the room was deleted or became forbidden, in UNIX milliseconds; null while it works. */
  pausedSinceMs: number | null;
  /** The last error, as people read it; null while it works. */
  error: string | null;
}

/**
 * The feed begins with the next event. Throws `invalid_input` if the room already has the same feed, or feeds for another
 * audience than `forReaders`.
 */
export async function addFeed(context: BotContext, feed: NewFeed, forReaders?: boolean): Promise<number> {
  const { guildId, roomId, createdBy: userId } = feed;
  return context.database.transaction(async (tx) => {
    const id = await insertFeed(context, tx, feed);
    if (forReaders !== undefined) await setAudience(tx, { id, roomId }, forReaders);
    // Recorded without a post: the room will see it by the events that follow.
    const audience = forReaders === undefined ? "" : `, for ${nameAudience(forReaders)}`;
    const what = `added feed ${id} to <#${roomId}>: ${describeScope(feed)}${audience}`;
    await recordSetupChange(context, tx, { guildId, kind: "feeds", userId, what });
    return id;
  });
}

/** For a new feed. The room's other feeds may be others' to change. */
async function setAudience(
  tx: Tx,
  { id, roomId }: Pick<Feed, "id" | "roomId">,
  forReaders: boolean,
): Promise<void> {
  const { numUpdatedRows } = await tx
    .updateTable("castellan.room_queues")
    .set({ for_readers: forReaders })
    .where("room_id", "=", roomId)
    .where(
      sql<boolean>`(for_readers = ${forReaders} or not exists (
        select from castellan.feeds where room_id = ${roomId} and id <> ${id} and ended_at_ms is null))`,
    )
    .executeTakeFirst();
  if (numUpdatedRows > 0n) return;
  const now = nameAudience(!forReaders);
  throw new AppError(
    "invalid_input",
    `Posts in <#${roomId}> are for ${now}. To change that, use /feed room.`,
  );
}

/** The same without a record of who did it. */
export async function insertFeed(
  { clock }: Pick<BotContext, "clock">,
  tx: Tx,
  feed: NewFeed,
): Promise<number> {
  const { guildId, roomId, channelIds, namePattern } = feed;
  await tx
    .insertInto("castellan.room_queues")
    .values({ room_id: roomId, guild_id: guildId })
    .onConflict((conflict) => conflict.column("room_id").doUpdateSet({ guild_id: guildId }))
    .execute();
  await forgetPause(tx, roomId);
  const same = await findSame(tx, feed);
  if (same !== undefined) throw alreadyThere(same);
  const { id } = await tx
    .insertInto("castellan.feeds")
    .values({
      guild_id: guildId,
      room_id: roomId,
      channel_ids: channelIds,
      kinds: feed.kinds,
      name_pattern: namePattern,
      people_only: feed.peopleOnly,
      created_by: feed.createdBy,
      created_at_ms: clock.now(),
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

/** Changes a feed's filter, from the next event on. Throws `invalid_input` if another feed of the room has that filter. */
export async function editFeed(
  context: BotContext,
  guildId: string,
  feedId: number,
  change: Pick<NewFeed, "roomId" | "channelIds" | "kinds" | "namePattern" | "peopleOnly">,
  userId: string,
): Promise<void> {
  await context.database.transaction(async (tx) => {
    // As in addFeed: two feeds cannot become the same at once.
    await lockRoom(tx, change.roomId);
    const same = await findSame(tx, change);
    if (same !== undefined && same !== feedId) throw alreadyThere(same);
    const { numUpdatedRows } = await tx
      .updateTable("castellan.feeds")
      .set({
        channel_ids: change.channelIds,
        kinds: change.kinds,
        name_pattern: change.namePattern,
        people_only: change.peopleOnly,
      })
      .where("id", "=", feedId)
      .where("guild_id", "=", guildId)
      .where("ended_at_ms", "is", null)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) {
      throw new AppError("invalid_input", `There is no feed ${feedId} here. /feed show shows them.`);
    }
    const what = `changed feed ${feedId} of <#${change.roomId}>: ${describeScope(change)}`;
    await recordSetupChange(context, tx, { guildId, kind: "feeds", userId, what });
  });
}

/** A feed's scope for the audit log: complete except for the names it looks for. */
export function describeScope({
  kinds,
  channelIds,
  namePattern,
  peopleOnly,
}: Pick<NewFeed, "kinds" | "channelIds" | "namePattern" | "peopleOnly">): string {
  const where = channelIds === null ? "every linked channel" : channelIds.map((id) => `/${id}`).join(", ");
  const names = [
    ...(peopleOnly ? ["of members only"] : []),
    ...(namePattern === null ? [] : ["that fit a pattern"]),
  ];
  const told = kinds.map((kind) => (kind === "names" ? ["names", ...names].join(" ") : kind));
  return `${told.join(", ")} of ${where}`;
}

/** A feed of the room with exactly the same filter. */
async function findSame(
  tx: Tx,
  feed: Pick<NewFeed, "roomId" | "channelIds" | "kinds" | "namePattern" | "peopleOnly">,
): Promise<number | undefined> {
  const same = await tx
    .selectFrom("castellan.feeds")
    .select("id")
    .where("room_id", "=", feed.roomId)
    .where(sql<boolean>`channel_ids is not distinct from ${feed.channelIds}::text[]`)
    .where(sql<boolean>`kinds = ${feed.kinds}::text[]`)
    .where(sql<boolean>`name_pattern is not distinct from ${feed.namePattern}::text`)
    .where("people_only", "=", feed.peopleOnly)
    .where("ended_at_ms", "is", null)
    .executeTakeFirst();
  return same?.id;
}

function alreadyThere(id: number): AppError {
  return new AppError("invalid_input", `This room already has that feed, number ${id}.`);
}

/** Ends a feed of this server. With the room's last feed, waiting messages are dropped. Returns how many. */
export async function removeFeed(
  context: BotContext,
  guildId: string,
  feedId: number,
  userId: string,
): Promise<Pick<RoomQueueState, "waiting" | "blocked">> {
  return context.database.transaction(async (tx) => {
    const { roomId, ...dropped } = await deleteFeed(tx, guildId, feedId);
    const what = `ended feed ${feedId} of <#${roomId}>`;
    await announceSetupChange(context, tx, { guildId, kind: "feeds", userId, what });
    return dropped;
  });
}

/** The same without a record of who did it. */
export async function deleteFeed(
  tx: Tx,
  guildId: string,
  feedId: number,
): Promise<Pick<RoomQueueState, "waiting" | "blocked"> & { roomId: string }> {
  // The same lock as in addFeed: if the last two feeds of a room are removed at once, one of them is the last.
  await tx
    .selectFrom("castellan.room_queues")
    .select("room_id")
    .where("room_id", "in", (query) =>
      query.selectFrom("castellan.feeds").select("room_id").where("id", "=", feedId),
    )
    .forUpdate()
    .execute();
  const feed = await tx
    .deleteFrom("castellan.feeds")
    .where("id", "=", feedId)
    .where("guild_id", "=", guildId)
    .returning("room_id")
    .executeTakeFirst();
  if (!feed) throw new AppError("invalid_input", `There is no feed ${feedId} here. /feed show shows them.`);
  const isLast = sql`not exists (
    select from castellan.feeds where room_id = ${feed.room_id} and ended_at_ms is null)`;
  // A paused room keeps the message that it could not send.
  const unsent = sql`room_id = ${feed.room_id} and ${isLast} and (state = 'blocked' or state = 'bound' and exists (
    select from castellan.room_queues where room_id = ${feed.room_id} and paused_since_ms is not null))`;
  const { rows } = await sql<{ message_id: number | null }>`
    delete from castellan.feed_rows where room_id = ${feed.room_id} and ${isLast}
      and (message_id is null or message_id in (select id from castellan.feed_messages where ${unsent}))
    returning message_id
  `.execute(tx);
  const { rows: messages } = await sql<{ id: number; state: string }>`
    delete from castellan.feed_messages where ${unsent} returning id, state
  `.execute(tx);
  const blocked = new Set(messages.flatMap(({ id, state }) => (state === "blocked" ? [id] : [])));
  const waiting = rows.filter(({ message_id }) => message_id === null || !blocked.has(message_id)).length;
  return { roomId: feed.room_id, waiting, blocked: blocked.size };
}

/** The channels of a room's feeds, with `kinds` only of those that have any of these; null stands for all linked ones. */
export async function readRoomChannels(
  query: Queryable,
  guildId: string,
  roomId: string,
  kinds?: readonly FeedKind[],
): Promise<(string[] | null)[]> {
  const rows = await query
    .selectFrom("castellan.feeds")
    .select("channel_ids")
    .where("room_id", "=", roomId)
    .where("guild_id", "=", guildId)
    .where("ended_at_ms", "is", null)
    .$if(kinds !== undefined, (feeds) => feeds.where(sql<boolean>`kinds && ${[...(kinds ?? [])]}::text[]`))
    .execute();
  return rows.map(({ channel_ids }) => channel_ids);
}

/** A server's feeds in the order they were added. */
export async function listFeeds({ database }: BotContext, guildId: string): Promise<Feed[]> {
  const { rows } = await sql<Feed>`
    select feeds.id, feeds.guild_id as "guildId", feeds.room_id as "roomId", channel_ids as "channelIds", kinds,
      name_pattern as "namePattern", people_only as "peopleOnly", created_by as "createdBy", created_at_ms as "createdAtMs",
      case when ended_at_ms is not null
        then jsonb_build_object('atMs', ended_at_ms, 'reason', coalesce(ended_reason, '')) end as ended,
      jsonb_build_object(
        'waiting', (select count(*) from castellan.feed_rows rows
          where rows.room_id = feeds.room_id and rows.message_id is null),
        'blocked', (select count(*) from castellan.feed_messages messages
          where messages.room_id = feeds.room_id and messages.state = 'blocked'),
        'parked', (select count(*) from castellan.feed_messages messages
          where messages.room_id = feeds.room_id and messages.state = 'parked'),
        'mentionRole', queues.mention_role, 'locale', queues.locale, 'forReaders', queues.for_readers,
        'pausedSinceMs', queues.paused_since_ms, 'error', queues.error
      ) as "roomQueue"
    from castellan.feeds feeds join castellan.room_queues queues using (room_id)
    where feeds.guild_id = ${guildId}
    order by feeds.id
  `.execute(database.query);
  return rows;
}
