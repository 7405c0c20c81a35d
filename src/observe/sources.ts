import { sql, type Selectable, type Updateable } from "kysely";
import { mapLimited } from "../async.ts";
import type { BotContext } from "../bot-context.ts";
import type { UnreadableEvent } from "../contract/endpoint.ts";
import type { Queryable, Tx } from "../database/database.ts";
import type { SourceTable } from "../database/tables/observe.ts";
import { toStorable } from "../text/storable.ts";

/** A polled source and its position: a shard of the hub, or a channel's listings or records. */
export type Source = Selectable<SourceTable>;

/** The hub's name as a source. Each shard is a separate source, because ids are unique only within a shard. */
export function hubSource(shard: number | undefined): string {
  return shard === undefined ? "hub" : `hub/${shard}`;
}

/** The followed sources: all except the shards that HUB_SHARD excludes. */
export function isFollowed({ hubShard }: Pick<BotContext["settings"], "hubShard">) {
  return hubShard === undefined
    ? sql<boolean>`true`
    : sql<boolean>`(source not like ${`${hubSource(undefined)}/%`} or source = ${hubSource(hubShard)})`;
}

/**
 * A shard's row. Earlier versions read all shards as one source. A single shard continues there. Of several, each is read
 * from its beginning, because that position belonged to none of them; known events are not announced again.
 */
export async function openHubSource(
  db: Queryable,
  shard: number | undefined,
  isOnly: boolean,
): Promise<Source> {
  const name = hubSource(shard);
  const found = await db
    .selectFrom("castellan.sources")
    .selectAll()
    .where("source", "=", name)
    .executeTakeFirst();
  if (found) return found;
  const before = hubSource(undefined);
  if (isOnly && name !== before) {
    await db.updateTable("castellan.sources").set({ source: name }).where("source", "=", before).execute();
  } else if (name !== before) {
    await db.deleteFrom("castellan.sources").where("source", "=", before).execute();
  }
  return openSource(db, name, null);
}

/** A source's row, created the first time. */
export async function openSource(db: Queryable, source: string, channelId: string | null): Promise<Source> {
  const find = db.selectFrom("castellan.sources").selectAll().where("source", "=", source);
  const found = await find.executeTakeFirst();
  if (found) return found;
  await db
    .insertInto("castellan.sources")
    .values({ source, channel_id: channelId })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return find.executeTakeFirstOrThrow();
}

/**
 * Moves a source's position, locks its row until the commit, and returns it as it is then. Undefined if another worker was
 * faster: then the caller drops its page. `readAtMs`: when reading began; the page may lack later changes.
 */
export async function moveSource(
  tx: Tx,
  source: Source,
  changes: Updateable<SourceTable>,
  readAtMs: number,
): Promise<Source | undefined> {
  return tx
    .updateTable("castellan.sources")
    .set((eb) => ({
      ...changes,
      version: eb("version", "+", 1),
      succeeded_at_ms: readAtMs,
      failing_since_ms: null,
      error: null,
    }))
    .where("source", "=", source.source)
    .where("version", "=", source.version)
    .returningAll()
    .executeTakeFirst();
}

/**
 * Where a source continues that reads by time: from the newest of these times that has passed. One in the future is wrong, and
 * would hide everything until then.
 */
export function latestPast(before: number, times: readonly number[], now: number): number {
  return times.reduce(
    (latest, time) => (time > now ? latest : Math.max(latest, time)),
    Math.min(before, now),
  );
}

/** Notes that a reading that began at `readAtMs` found nothing new. `isWhole`: it read all listings of a channel. */
export async function markGood(
  context: BotContext,
  source: Source,
  readAtMs: number,
  isWhole = false,
): Promise<void> {
  const whole = isWhole ? { all_listings_at_ms: readAtMs } : {};
  await context.database.query
    .updateTable("castellan.sources")
    .set({ succeeded_at_ms: readAtMs, behind: false, failing_since_ms: null, error: null, ...whole })
    .where("source", "=", source.source)
    .execute();
}

/** Runs one poll of a source. A failure is noted and rethrown. */
export async function withFailureNoted<T>(
  context: BotContext,
  source: string,
  poll: () => Promise<T>,
): Promise<T> {
  try {
    return await poll();
  } catch (error) {
    await noteFailure(context, source, error);
    throw error;
  }
}

/** Notes why a source could not be read, for /status. The first failure is logged. */
export async function noteFailure(
  { database, clock, log }: BotContext,
  source: string,
  failure: unknown,
): Promise<void> {
  const message = toStorable(failure instanceof Error ? failure.message : String(failure)).slice(0, 500);
  const note = database.query
    .updateTable("castellan.sources")
    .set({ error: message })
    .where("source", "=", source);
  const begun = await note
    .set({ failing_since_ms: clock.now() })
    .where("failing_since_ms", "is", null)
    .executeTakeFirst();
  if (begun.numUpdatedRows > 0n) log.warn({ source, err: failure }, "a source cannot be read");
  else await note.execute();
}

/** Notes unreadable rows of a source whose other rows were read. /status shows them as long as they remain. */
export async function noteUnreadable(
  context: BotContext,
  { source, error: before }: Source,
  rows: readonly UnreadableEvent[],
): Promise<void> {
  const [first] = rows;
  if (!first) return;
  const error = toStorable(
    `${rows.length} of its rows cannot be read and are left as they were: ${first.type}: ${first.reason}`,
  ).slice(0, 500);
  await context.database.query
    .updateTable("castellan.sources")
    .set({ error })
    .where("source", "=", source)
    .where("failing_since_ms", "is", null)
    .execute();
  if (error !== before) context.log.warn({ source, rows: rows.length, first }, "skipped unreadable rows");
}

/** Wake-ups that are sent at the same time. */
const maxWakes = 10;

/**
 * Follows castellan.links. The older casts of new channels are indexed, because otherwise no reply to them could be
 * placed. Unlinked channels are no longer followed, and start from the beginning when they are linked again.
 */
export async function followLinks(context: BotContext): Promise<void> {
  const { rows } = await sql`
    select from castellan.links full join castellan.watched_channels watched using (channel_id)
    where links.channel_url is distinct from watched.url limit 1
  `.execute(context.database.query);
  if (rows.length === 0) return;
  const added = await context.database.transaction(async (tx) => {
    await sql`
      with gone as (
        delete from castellan.watched_channels watched
        where not exists (select from castellan.links where links.channel_id = watched.channel_id)
        returning channel_id
      )
      update castellan.sources set has_baseline = false, version = version + 1
      where channel_id in (select channel_id from gone)
    `.execute(tx);
    const { rows: channels } = await sql<{ channel_id: string; added: boolean }>`
      insert into castellan.watched_channels (channel_id, url, since_ms, past_page)
      select channel_id, max(channel_url), min(linked_at_ms), ''
      from castellan.links group by channel_id
      on conflict (channel_id) do update set url = excluded.url
      returning channel_id, xmax = 0 as added
    `.execute(tx);
    return channels.filter((channel) => channel.added);
  });
  // Once for all channels: repeated wake-ups of one worker wait for each other, and the hub is not read before.
  if (added.length > 0) await context.wake("read-past");
  // Later readings are compared with the first one: the sooner it is made, the less is missed.
  await mapLimited(added, maxWakes, async ({ channel_id }) => {
    await context.wake("poll-listings", channel_id);
    await context.wake("poll-records", channel_id);
  });
}

/** Whether the last run of a source left something to read. */
export async function isBehind({ database, settings }: BotContext): Promise<boolean> {
  const { rows } = await sql<{ behind: boolean }>`
    select exists (select from castellan.sources where behind and ${isFollowed(settings)}) as behind
  `.execute(database.query);
  return rows[0]?.behind ?? false;
}

/** The channel as a source; undefined if no server is linked to it. */
export async function findWatched(
  db: Queryable,
  channelId: string,
): Promise<{ url: string; since_ms: number } | undefined> {
  return db
    .selectFrom("castellan.watched_channels as watched")
    .select(["url", "since_ms"])
    .where("channel_id", "=", channelId)
    .where(sql<boolean>`exists (select from castellan.links where links.channel_id = watched.channel_id)`)
    .executeTakeFirst();
}

/** Channels that are polled at the same time. */
const maxParallel = 4;

/**
 * Makes a worker's run that polls channels. The run polls every linked channel, or only the one that it was woken for. A
 * channel that fails is noted with its source and does not stop the others. The run throws if all of them failed.
 */
export function eachChannel(poll: (context: BotContext, channelId: string) => Promise<void>) {
  return async (context: BotContext, { key }: { key: string | undefined }): Promise<void> => {
    const open = key === undefined ? await listWatched(context.database.query) : [key];
    const failures: unknown[] = [];
    const pollOne = (channelId: string) =>
      poll(context, channelId).catch((error: unknown) => failures.push(error));
    await mapLimited(open, maxParallel, pollOne);
    if (open.length > 0 && failures.length === open.length) throw failures[0];
  };
}

async function listWatched(db: Queryable): Promise<string[]> {
  const rows = await db
    .selectFrom("castellan.watched_channels")
    .select("channel_id")
    .orderBy("channel_id")
    .execute();
  return rows.map((row) => row.channel_id);
}

/** The linked channels when a hub page is read. */
export interface WatchedChannels {
  byUrl: ReadonlyMap<string, string>;
  /** By channel: UNIX milliseconds before which everything is history. */
  since: ReadonlyMap<string, number>;
}

/** The channels that are linked now. Read in the page's transaction, so an unlinked channel gets no more events. */
export async function readWatchedChannels(tx: Tx): Promise<WatchedChannels> {
  const { rows } = await sql<{ channel_id: string; url: string; since_ms: number }>`
    select channel_id, url, since_ms from castellan.watched_channels watched
    where exists (select from castellan.links where links.channel_id = watched.channel_id)
  `.execute(tx);
  return toWatchedChannels(rows);
}

function toWatchedChannels(
  rows: readonly { channel_id: string; url: string; since_ms: number }[],
): WatchedChannels {
  return {
    byUrl: new Map(rows.map((row) => [row.url, row.channel_id])),
    since: new Map(rows.map((row) => [row.channel_id, row.since_ms])),
  };
}

/** Whether something from this second happened after the channel's link. */
export function isNews(watched: WatchedChannels, channelId: string, second: number): boolean {
  const since = watched.since.get(channelId);
  return since !== undefined && second >= Math.floor(since / 1000);
}
