import { sql, type Expression } from "kysely";
import type { BotContext } from "../../bot-context.ts";
import { seconds } from "../../clock.ts";
import type { HubMessage, MessagePage } from "../../contract/hub.ts";
import type { Queryable, Tx } from "../../database/database.ts";
import { asAppError, httpErrors } from "../../errors.ts";
import { isNews, noteFailure, openSource, readWatchedChannels } from "../sources.ts";
import { classifyHubError } from "./classify-hub-error.ts";
import { castEvent, indexRequested } from "./index-casts.ts";
import { nextBookmark, tokenOf } from "./parent-bookmark.ts";
import { readCastAdd, type HubCast } from "./parse-events.ts";
import { isParentWanted, storeWaitingReplies } from "./waiting-replies.ts";

/** Casts in a page. If the hub fails to return a page, the next request is this many times smaller, and so on. */
const [pageSize, shrink] = [1000, 8];
/** A channel's older casts are not requested: hardly anybody replies to them. */
const maxAgeSeconds = 365 * 86_400;
/** Retry delay after a failure. */
const backoffMs = { channel: 10 * 60_000, cast: 60 * 60_000 };

/** A channel, or a cast, whose casts are still to be requested. */
interface Parent {
  channelId: string;
  request: { url: string } | { fid: number; hash: string };
  /** As `nextBookmark` returned it; empty for the first page. */
  bookmark: string;
}

/**
 * Indexes casts that the hub's events do not bring (H11), a few calls per run: first the casts that were in a channel
 * before it was linked, newest first, then the replies to them, because otherwise no reply to those could be placed.
 * Reading them from the events would take millions of events. Parents that waiting replies need come first, because the
 * replies are news, but only with half of the calls while the past waits. A parent that fails is reported, backs off, and
 * delays no other.
 */
export async function readCastsByParent(context: BotContext): Promise<void> {
  let calls = context.settings.hubCallsForPast;
  const forThePast = Math.floor(calls / 2);
  while (calls > forThePast && (await requestMissingParent(context))) calls -= 1;
  while (calls > 0) {
    const parent = await findParent(context);
    if (parent) calls -= await readPageOf(context, parent);
    else if (await requestMissingParent(context)) calls -= 1;
    else return;
  }
}

/** Whether anything is left to request: a channel's casts, the replies to a cast, or a reply's parent. */
export async function hasParentsToRead(context: BotContext): Promise<boolean> {
  return exists(context, channelsToRead(context), castsToRead(context), repliesWithoutParent(context));
}

/** Whether casts of a channel, or replies to a cast, are not all read, also those that back off after a failure. */
export async function isPastLeft(context: BotContext): Promise<boolean> {
  return exists(context, unreadChannels(context), unreadCasts(context));
}

async function exists({ database }: BotContext, ...queries: Expression<unknown>[]): Promise<boolean> {
  const { has } = await database.query
    .selectNoFrom((eb) =>
      eb
        .or(queries.map((query) => eb.exists(query)))
        .$castTo<boolean>()
        .as("has"),
    )
    .executeTakeFirstOrThrow();
  return has;
}

/** Channels whose casts are not all read. */
function unreadChannels({ database }: BotContext) {
  return database.query
    .selectFrom("castellan.watched_channels")
    .select(["channel_id", "url", "past_page"])
    .where("past_page", "is not", null);
}

function channelsToRead(context: BotContext) {
  return unreadChannels(context).where("past_retry_at_ms", "<=", context.clock.now());
}

/** Casts in linked channels whose replies are not all read. */
function unreadCasts({ database, clock, settings }: BotContext) {
  return (
    database.query
      .selectFrom("castellan.casts as cast")
      .leftJoin("castellan.reply_readings as reading", "reading.hash", "cast.hash")
      .select(["cast.hash", "cast.fid", "cast.channel_id", "reading.page"])
      .where(sql<boolean>`not replies_known`)
      // The texts of older casts are not stored either.
      .where("cast_at", ">=", seconds(clock) - settings.history.seconds)
      .where(sql<boolean>`channel_id in (select channel_id from castellan.watched_channels)`)
  );
}

function castsToRead(context: BotContext) {
  const now = context.clock.now();
  return unreadCasts(context).where((eb) => eb(eb.fn.coalesce("retry_at_ms", eb.val(0)), "<=", now));
}

/** Replies that wait for a parent that was not requested yet. */
function repliesWithoutParent({ database }: BotContext) {
  return database.query
    .selectFrom("castellan.waiting_replies as reply")
    .select(["parent_hash as hash", "parent_fid as fid"])
    .where(isParentWanted);
}

/**
 * Requests the parent of the newest waiting reply: once, whether the hub has it or not. A parent in a linked channel is
 * indexed, with its waiting replies. A parent that is itself a reply waits for its own parent. False if no reply waits.
 */
async function requestMissingParent(context: BotContext): Promise<boolean> {
  const reply = await repliesWithoutParent(context)
    .orderBy("merged_at", "desc")
    .orderBy("hash")
    .limit(1)
    .executeTakeFirst();
  if (!reply || reply.fid === null) return false;
  const { hash, fid } = reply;
  const parent = await context.network.hub.castById({ fid, hash }).catch(async (error: unknown) => {
    if (isNotFound(error)) return undefined;
    if ((await classifyHubError(context, error)) === "hub") throw error;
    context.log.warn({ err: error, hash }, "the hub failed to return the parent of a reply");
    return undefined;
  });
  // A hub that returns another cast does not have this one.
  const casts = readCasts(context, parent ? [parent] : []).filter((cast) => cast.hash === hash);
  await storeCasts(context, casts, async (tx) => {
    const requested_at_ms = context.clock.now();
    await tx
      .insertInto("castellan.requested_parents")
      .values({ hash, requested_at_ms })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  });
  return true;
}

/** Some hubs answer 400 for a cast that they do not have, others 404. */
function isNotFound(error: unknown): boolean {
  const { code, status } = asAppError(error) ?? {};
  return [400, 404].includes(status ?? (code && httpErrors[code]?.status) ?? 0);
}

async function findParent(context: BotContext): Promise<Parent | undefined> {
  const channel = await channelsToRead(context)
    .orderBy("since_ms")
    .orderBy("channel_id")
    .limit(1)
    .executeTakeFirst();
  if (channel) {
    const { channel_id: channelId, url, past_page } = channel;
    return { channelId, request: { url }, bookmark: past_page ?? "" };
  }
  const cast = await castsToRead(context).orderBy("cast_at", "desc").limit(1).executeTakeFirst();
  if (!cast) return undefined;
  const { channel_id: channelId, fid, hash, page } = cast;
  return { channelId, request: { fid, hash }, bookmark: page ?? "" };
}

/** Reads one page, as large as the hub can return it. Returns how many calls that took; throws if the whole hub fails. */
async function readPageOf(context: BotContext, parent: Parent): Promise<number> {
  const source = `past/${parent.channelId}`;
  let calls = 0;
  for (let size = pageSize; ; size = Math.ceil(size / shrink)) {
    calls += 1;
    try {
      await storePageOf(context, parent, await requestPage(context, parent, size));
      await context.database.query.deleteFrom("castellan.sources").where("source", "=", source).execute();
      return calls;
    } catch (error) {
      // A failure of our own database is not the hub's fault.
      if (asAppError(error, "database_unavailable")) throw error;
      const fault = await classifyHubError(context, error);
      if (fault === "page" && size > 1) continue;
      await openSource(context.database.query, source, parent.channelId);
      await noteFailure(context, source, error);
      if (fault === "hub") throw error;
      // Another node may have rejected this node's token: then the parent is read from its beginning.
      await backOff(context, fault === "question" ? { ...parent, bookmark: "" } : parent);
      return calls;
    }
  }
}

function requestPage(
  { network }: BotContext,
  { request, bookmark }: Parent,
  size: number,
): Promise<MessagePage> {
  return network.hub.castsByParent({
    ...request,
    pageSize: size,
    reverse: true,
    pageToken: tokenOf(bookmark),
  });
}

async function storePageOf(context: BotContext, parent: Parent, page: MessagePage): Promise<void> {
  const { request, bookmark } = parent;
  const now = seconds(context.clock);
  const { messages, nextPageToken } = page;
  const casts = readCasts(context, messages);
  const url = "url" in request ? request.url : undefined;
  const isOldEnough =
    url !== undefined && casts.length > 0 && casts.every(({ castAt }) => castAt < now - maxAgeSeconds);
  const next = isOldEnough ? undefined : nextBookmark({ url, bookmark, messages, nextPageToken, now });
  await storeCasts(context, casts, (tx) => moveBookmark(tx, parent, next));
}

/** `next`: the position of the following page; undefined after the last page. */
async function moveBookmark(
  tx: Tx,
  { channelId, request, bookmark }: Parent,
  next: string | undefined,
): Promise<void> {
  if ("url" in request) {
    await tx
      .updateTable("castellan.watched_channels")
      .set({ past_page: next ?? null })
      .where("channel_id", "=", channelId)
      .where("past_page", "=", bookmark)
      .execute();
    return;
  }
  const { hash } = request;
  if (next === undefined) {
    await tx.updateTable("castellan.casts").set({ replies_known: true }).where("hash", "=", hash).execute();
    await tx.deleteFrom("castellan.reply_readings").where("hash", "=", hash).execute();
  } else {
    await noteReading(tx, hash, { page: next });
  }
}

async function backOff(
  { database, clock }: BotContext,
  { channelId, request, bookmark }: Parent,
): Promise<void> {
  if ("hash" in request) {
    const retry_at_ms = clock.now() + backoffMs.cast;
    return noteReading(database.query, request.hash, { page: bookmark, retry_at_ms });
  }
  await database.query
    .updateTable("castellan.watched_channels")
    .set({ past_page: bookmark, past_retry_at_ms: clock.now() + backoffMs.channel })
    .where("channel_id", "=", channelId)
    .execute();
}

async function noteReading(
  db: Queryable,
  hash: string,
  changes: { page: string; retry_at_ms?: number },
): Promise<void> {
  await db
    .insertInto("castellan.reply_readings")
    .values({ hash, ...changes })
    .onConflict((conflict) => conflict.column("hash").doUpdateSet(changes))
    .execute();
}

/** Malformed casts are left out. */
function readCasts({ clock }: BotContext, messages: readonly HubMessage[]): HubCast[] {
  const now = seconds(clock);
  return messages.flatMap((message) => readCastAdd(message, now) ?? []);
}

/**
 * In one transaction, with the bookmark. Only the hub's events show when a cast was merged, because authors choose a
 * cast's own time. So none of these casts is news, except replies that an event brought and that waited for one of them.
 */
async function storeCasts(
  context: BotContext,
  casts: readonly HubCast[],
  move: (tx: Tx) => Promise<unknown>,
): Promise<void> {
  await context.database.transaction(async (tx) => {
    const watched = await readWatchedChannels(tx);
    const { indexed, orphans } = await indexRequested(tx, casts, watched);
    await storeWaitingReplies(tx, orphans, seconds(context.clock));
    await move(tx);
    const news = indexed.filter(({ channelId, mergedAt }) => isNews(watched, channelId, mergedAt));
    await context.appendEvents(
      tx,
      news.map((cast) => castEvent(cast, context.clock.now())),
    );
  });
}
