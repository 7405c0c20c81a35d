import { setTimeout as sleep } from "node:timers/promises";
import type { BotContext } from "../../bot-context.ts";
import {
  followLinks,
  hubSource,
  isFollowed,
  markGood,
  noteFailure,
  openHubSource,
  openSource,
  withFailureNoted,
  type Source,
} from "../sources.ts";
import { cannotBeGiven } from "./fetch-page.ts";
import { createPageAhead, type PageAhead } from "./page-ahead.ts";
import { noteLook } from "./hub-pace.ts";
import { readOn } from "./read-on.ts";
import { dropWaitingReplies } from "./drop-waiting-replies.ts";
import { storePage } from "./store-page.ts";

/** After so many new events there are probably more, for a hub may give smaller pages than it is asked for. */
const worthAnother = 100;
/** A shard's turn ends after so many milliseconds, or pages; the next one goes on. */
const longestTurn = { milliseconds: 5_000, pages: 200 };
/** Milliseconds between two turns of a shard while another has not ended its first. */
const pause = 1_000;

type Shard = number | undefined;

/**
 * Reads what the hub merged since the last run, shard by shard: one that cannot be read, catches up or hangs holds up no
 * other. A fresh installation begins at 0 and reads all that the hub retains: that fills the table of names, and is news to
 * nobody, because nobody has linked a channel yet.
 */
export async function pollHub(context: BotContext, { signal }: { signal?: AbortSignal } = {}): Promise<void> {
  await followLinks(context);
  const shards = await context.hubShards().catch((error: unknown) => failAll(context, error));
  await noteMissing(context, shards);
  const { failures, hadNews } = await followShards(context, shards, signal);
  const [failure] = failures.values();
  if (failures.size === shards.length) throw failure;
  if (context.live) await noteLook(context, hadNews);
  await dropWaitingReplies(context, shards.map(hubSource));
}

/** Turn after turn of each shard, until each has had one; gives the failures of the last ones, and whether anything came. */
async function followShards(
  context: BotContext,
  shards: readonly Shard[],
  signal: AbortSignal | undefined,
): Promise<{ failures: Map<Shard, unknown>; hadNews: boolean }> {
  let hadNews = false;
  const failures = new Map<Shard, unknown>();
  const over = new AbortController();
  const stop = signal ? AbortSignal.any([over.signal, signal]) : over.signal;
  const unread = new Set(shards);
  const follow = async (shard: Shard) => {
    while (!stop.aborted) {
      failures.delete(shard);
      try {
        if (await takeTurn(context, shard, shards.length === 1)) hadNews = true;
      } catch (error) {
        failures.set(shard, error);
      }
      unread.delete(shard);
      if (unread.size === 0) over.abort();
      else await sleep(pause, undefined, { signal: stop }).catch(() => {});
    }
  };
  await Promise.all(shards.map(follow));
  return { failures, hadNews };
}

/** Nobody knows the shards: the failure stands with those that were followed before, or with the hub as a whole. */
async function failAll(context: BotContext, error: unknown): Promise<never> {
  const known = await listFollowed(context);
  if (known.length === 0) {
    known.push((await openSource(context.database.query, hubSource(undefined), null)).source);
  }
  for (const source of known) await noteFailure(context, source, error);
  throw error;
}

/** Answers of the hub that were compared with what is followed: it is asked now and then, its answer kept meanwhile. */
const compared = new WeakSet<readonly Shard[]>();

/** Tells of shards that were followed and that the hub names no more: whatever they hold is not read. */
async function noteMissing(context: BotContext, shards: readonly Shard[]): Promise<void> {
  if (shards.includes(undefined) || compared.has(shards)) return;
  const named = new Set(shards.map(hubSource));
  const { query } = context.database;
  for (const source of await listFollowed(context)) {
    // The one from before there were shards is taken over, or left: `openHubSource`.
    if (named.has(source) || source === hubSource(undefined)) continue;
    await query
      .updateTable("castellan.sources")
      .set({ behind: false })
      .where("source", "=", source)
      .execute();
    await noteFailure(
      context,
      source,
      new Error("The hub names this shard no more. If it is to be so, set HUB_SHARD."),
    );
  }
  compared.add(shards);
}

/** The shards' sources that there are, but for those that HUB_SHARD leaves out. */
async function listFollowed({ database, settings }: BotContext): Promise<string[]> {
  const rows = await database.query
    .selectFrom("castellan.sources")
    .select("source")
    .where("source", "like", `${hubSource(undefined)}%`)
    .where(isFollowed(settings))
    .execute();
  return rows.map(({ source }) => source);
}

/** Whether anything was new. */
async function takeTurn(context: BotContext, shard: Shard, isOnly: boolean): Promise<boolean> {
  const end = context.clock.monotonic() + longestTurn.milliseconds;
  const ahead = createPageAhead(context, shard, isOnly);
  const takePages = async () => {
    let hadNews = false;
    let source: Source | undefined = await openHubSource(context.database.query, shard, isOnly);
    for (let pages = 1; source; pages += 1) {
      const reading = await pollPage(context, shard, source, ahead);
      hadNews ||= reading.isNew;
      source = reading.next;
      if (pages >= longestTurn.pages || context.clock.monotonic() > end) break;
    }
    return hadNews;
  };
  return withFailureNoted(context, hubSource(shard), takePages).finally(() => ahead.drop());
}

/** One page; `next` is the source behind it, where another should follow at once. */
async function pollPage(
  context: BotContext,
  shard: Shard,
  source: Source,
  ahead: PageAhead,
): Promise<{ isNew: boolean; next?: Source | undefined }> {
  const early = await ahead.take(source);
  const readAtMs = early?.askedAtMs ?? context.clock.now();
  const reading = await readOn(context, shard, source, early);
  switch (reading.kind) {
    case "nothing new":
      await markGood(context, source, readAtMs);
      return { isNew: false };
    case "lags":
      return { isNew: false };
    case "page": {
      const { hasAnchor, ...page } = reading;
      const behind = page.within !== null || !hasAnchor || page.events.length >= worthAnother;
      // One that came by itself fails in every page, also in one that begins with it.
      const place = hasAnchor ? {} : { anchored: false };
      if (behind && hasAnchor && page.within === null) ahead.begin(source, page.events);
      const moved = await storePage(context, source, { ...page, place, behind });
      return { isNew: true, next: behind ? moved : undefined };
    }
    case "passed over": {
      const { id, blockLeft, gap } = reading;
      context.log.warn({ source: source.source, id }, "an event that the hub cannot give is passed over");
      const unreadable = [{ id, type: "", reason: cannotBeGiven }];
      const place = { position: id, block_left: blockLeft };
      const next = await storePage(context, source, { events: [], unreadable, gap, place, behind: true });
      return { isNew: true, next };
    }
    case "begins anew": {
      // What is known already is no event again.
      const place = { position: 0, block_left: null };
      const { gap } = reading;
      const next = await storePage(context, source, { events: [], unreadable: [], gap, place, behind: true });
      return { isNew: true, next };
    }
  }
}
