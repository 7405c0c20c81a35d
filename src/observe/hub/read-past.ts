import { sql } from "kysely";
import type { BotContext } from "../../bot-context.ts";
import { seconds } from "../../clock.ts";
import type { HubMessage } from "../../contract/hub.ts";
import type { Tx } from "../../database/database.ts";
import { asAppError, httpErrors } from "../../errors.ts";
import { isNews, markGood, noteFailure, openSource, readWatchedChannels } from "../sources.ts";
import { castEvent, indexPast, type PastCast } from "./index-casts.ts";
import { readCastAdd } from "./read-page.ts";
import { storeWaitingReplies } from "./waiting-replies.ts";

const pageSize = 1000;
/** Of more replies to one cast, or of a hub whose pages have no end, the rest is left out. */
const mostPagesOfReplies = 20;
/** Casts older than so many seconds are not looked for: hardly anybody replies to them. */
const oldest = 365 * 86_400;

/**
 * Indexes what the hub's events do not bring (H11), a few calls in each run: the casts that were in a channel before it was
 * linked, newest first, and then what replied to them, for without them no reply to them could be placed; the events would
 * have to be read again by the million. Before that one parent of a reply that waits for it, for the reply is news.
 */
export async function readPast(context: BotContext): Promise<void> {
  const source = await openSource(context.database.query, "older casts", null);
  const readAtMs = context.clock.now();
  await noteFailure(context, source.source, async () => {
    let calls = context.settings.hubCallsForPast;
    if (await askForParent(context)) calls -= 1;
    while (calls > 0 && (await readPage(context))) calls -= 1;
    while (calls > 0 && (await readReplies(context))) calls -= 1;
  });
  await markGood(context, source, readAtMs);
}

/** Whether a channel has casts, a cast replies, or a reply a parent, that are still to be asked for. */
export async function hasPast({ database, clock, settings }: BotContext): Promise<boolean> {
  const { rows } = await sql<{ has: boolean }>`
    select exists (select from castellan.watched_channels where past_page is not null)
      or exists (select from castellan.waiting_replies as reply where ${isUnasked})
      or exists (
        select from castellan.casts
        where not replies_known and cast_at >= ${seconds(clock) - settings.history.seconds}
          and channel_id in (select channel_id from castellan.watched_channels)
      ) as has
  `.execute(database.query);
  return rows[0]?.has ?? false;
}

/** Of a reply that waits: the hub was not asked for its parent yet. */
const isUnasked = sql<boolean>`is_wanted and parent_fid is not null
  and not exists (select from castellan.asked_parents as asked where asked.hash = reply.parent_hash)`;

/**
 * The parent that the newest reply waits for: once, whether the hub has it or not. One of a linked channel is put in the
 * index, with the replies that waited; one that replies itself waits for its own. False when there is none to ask for.
 */
async function askForParent(context: BotContext): Promise<boolean> {
  const reply = await context.database.query
    .selectFrom("castellan.waiting_replies as reply")
    .select(["parent_hash as hash", "parent_fid as fid"])
    .where(isUnasked)
    .orderBy("merged_at", "desc")
    .orderBy("hash")
    .limit(1)
    .executeTakeFirst();
  if (!reply || reply.fid === null) return false;
  const { hash, fid } = reply;
  const parent = await context.network.hub.castById({ fid, hash }).catch((error: unknown) => {
    if (isNotThere(error)) return undefined;
    throw error;
  });
  // A hub that answers with another cast has not got this one.
  const casts = readCasts(context, parent ? [parent] : []).filter(({ cast }) => cast.hash === hash);
  await store(context, casts, async (tx) => {
    const asked_at_ms = context.clock.now();
    await tx
      .insertInto("castellan.asked_parents")
      .values({ hash, asked_at_ms })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  });
  return true;
}

/** Hubs say 400 of a cast that they do not have, others 404. */
function isNotThere(error: unknown): boolean {
  const { code, status } = asAppError(error) ?? {};
  return [400, 404].includes(status ?? (code && httpErrors[code]?.status) ?? 0);
}

/** One page of one channel's root casts. False when there is none left to read. */
async function readPage(context: BotContext): Promise<boolean> {
  const channel = await context.database.query
    .selectFrom("castellan.watched_channels")
    .select(["channel_id", "url", "past_page"])
    .where("past_page", "is not", null)
    .orderBy("since_ms")
    .orderBy("channel_id")
    .limit(1)
    .executeTakeFirst();
  if (!channel) return false;
  const { channel_id, url, past_page } = channel;
  const { messages, nextPageToken } = await context.network.hub.castsByParent({
    url,
    pageSize,
    reverse: true,
    ...(past_page ? { pageToken: past_page } : {}),
  });
  const casts = readCasts(context, messages);
  const isEnd = !nextPageToken || nextPageToken === past_page || messages.length === 0;
  const isFarBack = casts.some(({ cast }) => cast.castAt < seconds(context.clock) - oldest);
  await store(context, casts, (tx) =>
    tx
      .updateTable("castellan.watched_channels")
      .set({ past_page: isFarBack || isEnd ? null : nextPageToken })
      .where("channel_id", "=", channel_id)
      .where("past_page", "=", past_page)
      .execute(),
  );
  return true;
}

/** What replied to one cast. False when there is none left to ask for. */
async function readReplies(context: BotContext): Promise<boolean> {
  const cast = await context.database.query
    .selectFrom("castellan.casts")
    .select(["hash", "fid"])
    .where("replies_known", "=", false)
    // Of older ones the texts are not kept either.
    .where("cast_at", ">=", seconds(context.clock) - context.settings.history.seconds)
    .where(sql<boolean>`channel_id in (select channel_id from castellan.watched_channels)`)
    .orderBy("cast_at", "desc")
    .limit(1)
    .executeTakeFirst();
  if (!cast) return false;
  const replies: PastCast[] = [];
  let token: string | undefined;
  for (let pages = 0; pages < mostPagesOfReplies && token !== ""; pages += 1) {
    const page = await context.network.hub.castsByParent({
      fid: cast.fid,
      hash: cast.hash,
      pageSize,
      ...(token !== undefined && { pageToken: token }),
    });
    replies.push(...readCasts(context, page.messages));
    token = page.messages.length > 0 ? (page.nextPageToken ?? "") : "";
  }
  await store(context, replies, (tx) =>
    tx.updateTable("castellan.casts").set({ replies_known: true }).where("hash", "=", cast.hash).execute(),
  );
  return true;
}

/** Those that can be read: what is malformed is left out, as it was no news. */
function readCasts({ clock }: BotContext, messages: readonly HubMessage[]): PastCast[] {
  const now = seconds(clock);
  return messages.flatMap((message) => {
    const cast = readCastAdd(message, now);
    return cast ? [{ cast }] : [];
  });
}

/**
 * In one transaction, with how far was read. When a cast was merged the hub's events alone say, for its author chooses its own
 * time: so none of these is news, only what came by an event and waited for one of them.
 */
async function store(
  context: BotContext,
  casts: readonly PastCast[],
  moveOn: (tx: Tx) => Promise<unknown>,
): Promise<void> {
  await context.database.transaction(async (tx) => {
    const watched = await readWatchedChannels(tx);
    const { indexed, orphans } = await indexPast(tx, casts, watched);
    await storeWaitingReplies(tx, orphans, seconds(context.clock));
    await moveOn(tx);
    const news = indexed.filter(({ channelId, mergedAt }) => isNews(watched, channelId, mergedAt));
    await context.appendEvents(
      tx,
      news.map((cast) => castEvent(cast, context.clock.now())),
    );
  });
}
