import { sql, type RawBuilder } from "kysely";
import type { BotContext } from "../bot-context.ts";
import type { Tx } from "../database/database.ts";
import { afterCommit } from "../database/transactions.ts";
import { textsFor } from "../languages/languages.ts";
import type { ChannelEvent } from "../observe/events.ts";
import { request } from "../outbox/request.ts";
import { blankEmbeds } from "./blank-embeds.ts";
import { findPostsOfCase } from "./post-groups.ts";
import { unsentStates } from "./room-changes.ts";

/**
 * Requests edits of the posts about these groups and events. The queues of the rooms are locked, so that nothing is bound
 * with old content meanwhile; a message being sent is edited once it has arrived. Returns whether anything was posted.
 */
export async function requestEdits(
  tx: Tx,
  { groups, eventIds }: { groups: readonly string[]; eventIds: readonly number[] },
  nowMs: number,
  lines: readonly string[] = [],
): Promise<boolean> {
  if (groups.length === 0 && eventIds.length === 0) return false;
  const fits = sql`(post_group = any(${[...groups]}::text[]) or event_id = any(${[...eventIds]}::bigint[]))`;
  return requestMessageEdits(tx, await lockMessages(tx, fits), nowMs, lines);
}

/** The messages of these feed rows. Locks the queues of their rooms. */
async function lockMessages(tx: Tx, fits: RawBuilder<unknown>): Promise<number[]> {
  await sql`
    select from castellan.room_queues
    where room_id in (select room_id from castellan.feed_rows where ${fits}) order by room_id for update
  `.execute(tx);
  const { rows } = await sql<{ id: number }>`
    select distinct message_id as id from castellan.feed_rows where ${fits} and message_id is not null
  `.execute(tx);
  return rows.map(({ id }) => id);
}

/**
 * The same for posts in rooms for readers about casts that these events hide, delete or show again; a ban hides all
 * replies of its user. The text of messages that are not sent yet is removed at once.
 */
export async function requestCastEdits(
  tx: Tx,
  events: readonly ChannelEvent[],
  nowMs: number,
): Promise<boolean> {
  const hashes = events.flatMap(({ kind, data }) =>
    kind === "record.hidden" || kind === "record.unhidden" || kind === "cast.removed" ? [data.castHash] : [],
  );
  const banned = events.flatMap(({ kind, channelId: channel, subjectFid: fid }) =>
    kind === "user.banned" && fid !== null ? [{ channel, fid }] : [],
  );
  if (hashes.length + banned.length === 0) return false;
  const inRooms = sql`room_id in (select room_id from castellan.room_queues where for_readers)`;
  const ids = await lockMessages(
    tx,
    sql`${inRooms} and event_id in (
      select id from castellan.events where cast_hash = any(array(
        select unnest(${hashes}::text[])
        union all
        select hash from jsonb_to_recordset(${JSON.stringify(banned)}::text::jsonb) as banned (channel text, fid bigint)
        join castellan.casts on casts.channel_id = banned.channel and casts.fid = banned.fid and thread_depth > 0
        where exists (select from castellan.room_queues where for_readers))))`,
  );
  const { rows: unsent } = await sql<{ id: number; embeds: string; locale: string }>`
    select id, embeds_json as embeds, locale from castellan.feed_messages join castellan.room_queues using (room_id)
    where id = any(${ids}::bigint[]) and state = any(${[...unsentStates]}::text[]) and not digest
  `.execute(tx);
  for (const { id, embeds, locale } of unsent) {
    const { gone } = textsFor(locale).posts.readers;
    await tx
      .updateTable("castellan.feed_messages")
      .set({ embeds_json: blankEmbeds(embeds, gone) })
      .where("id", "=", id)
      .execute();
  }
  return requestMessageEdits(tx, ids, nowMs);
}

/** A room has another audience from now on: its messages that are not sent yet are edited once they are sent. */
export async function requestUnsentEdits(tx: Tx, roomId: string, nowMs: number): Promise<void> {
  const unsent = await tx
    .selectFrom("castellan.feed_messages")
    .select("id")
    .where("room_id", "=", roomId)
    .where("state", "in", unsentStates)
    .execute();
  await requestMessageEdits(
    tx,
    unsent.map(({ id }) => id),
    nowMs,
  );
}

/** The same for posts about a case of which people have changed something that they show. */
export async function editPostsOfCase(
  { clock, wake }: Pick<BotContext, "clock" | "wake">,
  tx: Tx,
  caseId: number,
): Promise<void> {
  const hasPosts = await requestEdits(tx, await findPostsOfCase(tx, caseId), clock.now());
  if (hasPosts) afterCommit(() => void wake("send-outbox"));
}

/** The same for posts about events with these keys, with these lines added until the next edit. */
export async function requestEditsOf(
  tx: Tx,
  sourceKeys: readonly string[],
  nowMs: number,
  lines: readonly string[] = [],
): Promise<boolean> {
  const { rows } = await sql<{ id: number }>`
    select id from castellan.events where source_key = any(${[...sourceKeys]}::text[])
  `.execute(tx);
  return requestEdits(tx, { groups: [], eventIds: rows.map(({ id }) => id) }, nowMs, lines);
}

/** The same for messages; digests have nothing to edit. */
async function requestMessageEdits(
  tx: Tx,
  ids: readonly number[],
  nowMs: number,
  lines: readonly string[] = [],
): Promise<boolean> {
  if (ids.length === 0) return false;
  const { rows } = await sql<{ key: string; destination: string; eventIds: number[]; forReaders: boolean }>`
    select message.id::text as key, message.room_id as destination, array_agg(event_id order by event_id) as "eventIds",
      (select for_readers from castellan.room_queues as queue where queue.room_id = message.room_id) as "forReaders"
    from castellan.feed_messages as message join castellan.feed_rows as told on told.message_id = message.id
    where message.id = any(${[...ids]}::bigint[]) and not digest and state <> 'parked' and head_id is null
    group by message.id
  `.execute(tx);
  await request(
    tx,
    rows.map(({ key, destination, eventIds, forReaders }) => ({
      kind: "edit",
      key,
      destination,
      requestedAtMs: nowMs,
      data: {
        eventIds,
        ...(lines.length > 0 && { lines: [...lines] }),
        ...(forReaders && { readers: true }),
      },
    })),
  );
  return rows.length > 0;
}

/**
 * Events that follow one that is posted, or being sent, are added to that post. Events that are more urgent than that post
 * get their own, because an edit notifies nobody, and so do those that follow a post that cannot be edited.
 */
export async function joinPosted(tx: Tx, roomId: string, nowMs: number): Promise<void> {
  const followers = sql`follower.room_id = ${roomId} and follower.message_id is null and follower.head_id is not null`;
  const theirHead = sql`head.room_id = ${roomId} and head.event_id = follower.head_id`;
  // The head became a follower in `putUrgentFirst` while these were stored.
  await sql`
    update castellan.feed_rows as follower set head_id = head.head_id
    from castellan.feed_rows as head where ${followers} and ${theirHead} and head.head_id is not null
  `.execute(tx);
  const { rows } = await sql<{ id: number }>`
    update castellan.feed_rows as follower set message_id = head.message_id
    from castellan.feed_rows as head join castellan.feed_messages as message on message.id = head.message_id
    where ${followers} and ${theirHead} and follower.rank >= head.rank
      and message.state <> 'parked' and not message.digest
    returning follower.message_id as id
  `.execute(tx);
  await requestMessageEdits(tx, [...new Set(rows.map(({ id }) => id))], nowMs);
  await sql`
    update castellan.feed_rows as follower set head_id = null
    where ${followers} and not exists (
      select from castellan.feed_rows as head where ${theirHead} and head.message_id is null)
  `.execute(tx);
}

/**
 * The most urgent of the events that share a waiting post becomes its head, which determines when the post is due and how
 * digests count it. The caller holds the lock on the room's queue, so that no message of the post is bound meanwhile.
 */
export async function putUrgentFirst(tx: Tx, roomId: string): Promise<void> {
  const { rows } = await sql<{ head: number; urgent: number }>`
    select distinct on (head.event_id) head.event_id as head, follower.event_id as urgent
    from castellan.feed_rows as follower join castellan.feed_rows as head
      on head.room_id = follower.room_id and head.event_id = follower.head_id
    where follower.room_id = ${roomId} and follower.message_id is null and follower.head_id is not null
      and head.message_id is null and follower.rank < head.rank
    order by head.event_id, follower.rank, follower.event_id
  `.execute(tx);
  if (rows.length === 0) return;
  await sql`
    update castellan.feed_rows set head_id = nullif(urgent, event_id)
    from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as post (head bigint, urgent bigint)
    where room_id = ${roomId} and message_id is null and head in (event_id, head_id)
  `.execute(tx);
}
