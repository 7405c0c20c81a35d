import { sql } from "kysely";
import type { BotContext } from "../../bot-context.ts";
import { seconds } from "../../clock.ts";
import type { HubMessage, MessagePage } from "../../contract/hub.ts";
import type { Queryable, Tx } from "../../database/database.ts";
import { asAppError, httpErrors } from "../../errors.ts";
import { isNews, noteFailure, openSource, readWatchedChannels } from "../sources.ts";
import { classifyHubError } from "./classify-hub-error.ts";
import { castEvent, indexPast, type PastCast } from "./index-casts.ts";
import { nextPage, tokenOf } from "./past-page.ts";
import { readCastAdd } from "./parse-events.ts";
import { storeWaitingReplies } from "./waiting-replies.ts";

/** Casts in a page; of one that the hub cannot give, so many times fewer are asked for, and so on. */
const [pageSize, shrink] = [1000, 8];
/** Casts older than so many seconds are not looked for: hardly anybody replies to them. */
const oldest = 365 * 86_400;
/** Milliseconds until what could not be read is asked for again. */
const rests = { channel: 10 * 60_000, cast: 60 * 60_000 };

/** What is still to be asked for: a channel's casts, or the replies to a cast. */
interface Parent {
  channelId: string;
  ask: { url: string } | { fid: number; hash: string };
  /** As `nextPage` gave it, empty for the first page. */
  place: string;
}

/**
 * Indexes what the hub's events do not bring (H11), a few calls in each run: the casts that were in a channel before it was
 * linked, newest first, and then what replied to them, for without them no reply to them could be placed; the events would
 * have to be read again by the million. Before that one parent of a reply that waits for it, for the reply is news. What
 * cannot be read rests, is told of, and holds up no other.
 */
export async function readPast(context: BotContext): Promise<void> {
  let calls = context.settings.hubCallsForPast;
  if (await askForParent(context)) calls -= 1;
  while (calls > 0) {
    const parent = await findParent(context);
    if (!parent) return;
    calls -= await readPage(context, parent);
  }
}

/** Whether a channel has casts, a cast replies, or a reply a parent, that are still to be asked for: asked each second. */
export async function hasPast(context: BotContext): Promise<boolean> {
  const { has } = await context.database.query
    .selectNoFrom((eb) =>
      eb
        .or([
          eb.exists(channelsToAsk(context)),
          eb.exists(repliesToAsk(context)),
          eb.exists(castsToAsk(context)),
        ])
        .$castTo<boolean>()
        .as("has"),
    )
    .executeTakeFirstOrThrow();
  return has;
}

/** Channels with casts that are still to be asked for. */
function channelsToAsk({ database, clock }: BotContext) {
  return database.query
    .selectFrom("castellan.watched_channels")
    .select(["channel_id", "url", "past_page"])
    .where("past_page", "is not", null)
    .where("past_rests_until_ms", "<=", clock.now());
}

/** Casts of linked channels whose replies are still to be asked for. */
function castsToAsk({ database, clock, settings }: BotContext) {
  return (
    database.query
      .selectFrom("castellan.casts as cast")
      .leftJoin("castellan.reply_readings as reading", "reading.hash", "cast.hash")
      .select(["cast.hash", "cast.fid", "cast.channel_id", "reading.page"])
      .where(sql<boolean>`not replies_known`)
      // Of older ones the texts are not kept either.
      .where("cast_at", ">=", seconds(clock) - settings.history.seconds)
      .where(sql<boolean>`channel_id in (select channel_id from castellan.watched_channels)`)
      .where((eb) => eb(eb.fn.coalesce("rests_until_ms", eb.val(0)), "<=", clock.now()))
  );
}

/** Replies that wait for a parent for which the hub was not asked yet. */
function repliesToAsk({ database }: BotContext) {
  return database.query
    .selectFrom("castellan.waiting_replies as reply")
    .select(["parent_hash as hash", "parent_fid as fid"])
    .where(
      sql<boolean>`is_wanted and parent_fid is not null
        and not exists (select from castellan.asked_parents as asked where asked.hash = reply.parent_hash)`,
    );
}

/**
 * The parent that the newest reply waits for: once, whether the hub has it or not. One of a linked channel is put in the
 * index, with the replies that waited; one that replies itself waits for its own. False when there is none to ask for.
 */
async function askForParent(context: BotContext): Promise<boolean> {
  const reply = await repliesToAsk(context)
    .orderBy("merged_at", "desc")
    .orderBy("hash")
    .limit(1)
    .executeTakeFirst();
  if (!reply || reply.fid === null) return false;
  const { hash, fid } = reply;
  const parent = await context.network.hub.castById({ fid, hash }).catch(async (error: unknown) => {
    if (isNotThere(error)) return undefined;
    if ((await classifyHubError(context, error)) === "hub") throw error;
    context.log.warn({ err: error, hash }, "the hub cannot give the parent of a reply");
    return undefined;
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

async function findParent(context: BotContext): Promise<Parent | undefined> {
  return (await findChannel(context)) ?? (await findCast(context));
}

async function findChannel(context: BotContext): Promise<Parent | undefined> {
  const channel = await channelsToAsk(context)
    .orderBy("since_ms")
    .orderBy("channel_id")
    .limit(1)
    .executeTakeFirst();
  return (
    channel && { channelId: channel.channel_id, ask: { url: channel.url }, place: channel.past_page ?? "" }
  );
}

async function findCast(context: BotContext): Promise<Parent | undefined> {
  const cast = await castsToAsk(context).orderBy("cast_at", "desc").limit(1).executeTakeFirst();
  return (
    cast && { channelId: cast.channel_id, ask: { fid: cast.fid, hash: cast.hash }, place: cast.page ?? "" }
  );
}

/** One page, as large as the hub can give it; gives how many calls that took. Throws where the hub gives nothing at all. */
async function readPage(context: BotContext, parent: Parent): Promise<number> {
  const source = `past/${parent.channelId}`;
  let calls = 0;
  for (let size = pageSize; ; size = Math.ceil(size / shrink)) {
    calls += 1;
    try {
      await storePage(context, parent, await askForPage(context, parent, size));
      await context.database.query.deleteFrom("castellan.sources").where("source", "=", source).execute();
      return calls;
    } catch (error) {
      // Our own database's silence says nothing of the hub.
      if (asAppError(error, "database_unavailable")) throw error;
      const fault = await classifyHubError(context, error);
      if (fault === "page" && size > 1) continue;
      await openSource(context.database.query, source, parent.channelId);
      await noteFailure(context, source, error);
      if (fault === "hub") throw error;
      await rest(context, fault === "question" ? { ...parent, place: "" } : parent);
      return calls;
    }
  }
}

function askForPage({ network }: BotContext, { ask, place }: Parent, size: number): Promise<MessagePage> {
  return network.hub.castsByParent({ ...ask, pageSize: size, reverse: true, pageToken: tokenOf(place) });
}

async function storePage(context: BotContext, parent: Parent, page: MessagePage): Promise<void> {
  const { ask, place } = parent;
  const now = seconds(context.clock);
  const { messages, nextPageToken } = page;
  const casts = readCasts(context, messages);
  const url = "url" in ask ? ask.url : undefined;
  const isFarBack =
    url !== undefined && casts.length > 0 && casts.every(({ cast }) => cast.castAt < now - oldest);
  const next = isFarBack ? undefined : nextPage({ url, place, messages, nextPageToken, now });
  await store(context, casts, (tx) => moveOn(tx, parent, next));
}

/** `next`: where the page after this one is; undefined where this was the last. */
async function moveOn(tx: Tx, { channelId, ask, place }: Parent, next: string | undefined): Promise<void> {
  if ("url" in ask) {
    await tx
      .updateTable("castellan.watched_channels")
      .set({ past_page: next ?? null })
      .where("channel_id", "=", channelId)
      .where("past_page", "=", place)
      .execute();
    return;
  }
  const { hash } = ask;
  if (next === undefined) {
    await tx.updateTable("castellan.casts").set({ replies_known: true }).where("hash", "=", hash).execute();
    await tx.deleteFrom("castellan.reply_readings").where("hash", "=", hash).execute();
  } else {
    await noteReading(tx, hash, { page: next });
  }
}

/** Then it is asked from its place on; from the beginning, where another node may have refused another's token. */
async function rest({ database, clock }: BotContext, { channelId, ask, place }: Parent): Promise<void> {
  if ("hash" in ask) {
    return noteReading(database.query, ask.hash, { page: place, rests_until_ms: clock.now() + rests.cast });
  }
  await database.query
    .updateTable("castellan.watched_channels")
    .set({ past_page: place, past_rests_until_ms: clock.now() + rests.channel })
    .where("channel_id", "=", channelId)
    .execute();
}

async function noteReading(
  db: Queryable,
  hash: string,
  changes: { page: string; rests_until_ms?: number },
): Promise<void> {
  await db
    .insertInto("castellan.reply_readings")
    .values({ hash, ...changes })
    .onConflict((conflict) => conflict.column("hash").doUpdateSet(changes))
    .execute();
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
