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
import { dropWaitingReplies } from "./drop-waiting-replies.ts";
import { noteHubRead } from "./hub-due.ts";
import { readHubPage } from "./read-hub-page.ts";
import { storeHubPage } from "./store-hub-page.ts";

/** A shard's turn ends after this much time or this many pages. The next turn continues there. */
const maxTurn = { milliseconds: 5_000, pages: 200 };
/** Between two turns of a shard while another shard has not finished its first. */
const pauseMs = 1_000;

type Shard = number | undefined;

/**
 * Reads everything that the hub merged since the last run, shard by shard: a shard that fails, catches up or hangs delays
 * no other. A new installation begins at 0 and reads everything that the hub retains. That fills the table of names
 * without announcing anything, because no channel is linked yet.
 */
export async function pollHub(context: BotContext, { signal }: { signal?: AbortSignal } = {}): Promise<void> {
  await followLinks(context);
  const shards = await context.hubShards().catch((error: unknown) => failAll(context, error));
  await noteMissing(context, shards);
  const { failures, hadNews } = await followShards(context, shards, signal);
  const [failure] = failures.values();
  if (failures.size === shards.length) throw failure;
  if (context.live) await noteHubRead(context, hadNews);
  await dropWaitingReplies(context, shards.map(hubSource));
}

/** Repeats the turns of each shard until every shard has had one. Returns the failures of the last turns. */
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
      else await sleep(pauseMs, undefined, { signal: stop }).catch(() => {});
    }
  };
  await Promise.all(shards.map(follow));
  return { failures, hadNews };
}

/** The shards are unknown: the failure is noted with those that were followed before, or with the hub as a whole. */
async function failAll(context: BotContext, error: unknown): Promise<never> {
  const known = await listFollowed(context);
  if (known.length === 0) {
    known.push((await openSource(context.database.query, hubSource(undefined), null)).source);
  }
  for (const source of known) await noteFailure(context, source, error);
  throw error;
}

/** Lists of shards that were compared with the followed sources: `hubShards` returns the same list for a while. */
const compared = new WeakSet<readonly Shard[]>();

/** Notes a failure for followed shards that the hub no longer lists: their events are not read. */
async function noteMissing(context: BotContext, shards: readonly Shard[]): Promise<void> {
  if (shards.includes(undefined) || compared.has(shards)) return;
  const named = new Set(shards.map(hubSource));
  const { query } = context.database;
  for (const source of await listFollowed(context)) {
    // `openHubSource` renames or deletes the source from before there were shards.
    if (named.has(source) || source === hubSource(undefined)) continue;
    await query
      .updateTable("castellan.sources")
      .set({ behind: false })
      .where("source", "=", source)
      .execute();
    await noteFailure(
      context,
      source,
      new Error("The hub no longer lists this shard. If that is intended, set HUB_SHARD."),
    );
  }
  compared.add(shards);
}

/** The sources of all shards that were ever followed, except those excluded by HUB_SHARD. */
async function listFollowed({ database, settings }: BotContext): Promise<string[]> {
  const rows = await database.query
    .selectFrom("castellan.sources")
    .select("source")
    .where("source", "like", `${hubSource(undefined)}%`)
    .where(isFollowed(settings))
    .execute();
  return rows.map(({ source }) => source);
}

/** Reads page after page. Returns whether anything was new. */
async function takeTurn(context: BotContext, shard: Shard, isOnly: boolean): Promise<boolean> {
  const end = context.clock.monotonic() + maxTurn.milliseconds;
  return withFailureNoted(context, hubSource(shard), async () => {
    let hadNews = false;
    let source: Source | undefined = await openHubSource(context.database.query, shard, isOnly);
    for (let pages = 1; source; pages += 1) {
      const { isNew, next } = await pollPage(context, shard, source);
      hadNews ||= isNew;
      source = next;
      if (pages >= maxTurn.pages || context.clock.monotonic() > end) break;
    }
    return hadNews;
  });
}

/** Reads and stores one page. `next` is the source after it if another page should follow at once. */
async function pollPage(
  context: BotContext,
  shard: Shard,
  source: Source,
): Promise<{ isNew: boolean; next?: Source | undefined }> {
  const readAtMs = context.clock.now();
  const page = await readHubPage(context, shard, source);
  if (page === "nothing new") await markGood(context, source, readAtMs);
  if (page === "nothing new" || page === "lagging") return { isNew: false };
  const moved = await storeHubPage(context, source, page);
  return { isNew: true, next: page.behind ? moved : undefined };
}
