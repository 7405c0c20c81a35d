import type { Selectable, Updateable } from "kysely";
import type { BotContext } from "../bot-context.ts";
import type { Queryable, Tx } from "../database/database.ts";
import type { SourceTable } from "../database/tables/observe.ts";
import { toStorable } from "../text/storable.ts";

/** What is polled: a shard of the hub, or one of a channel's listings; with how far it was read. */
export type Source = Selectable<SourceTable>;

/** The hub's name as a source; each shard is one of its own, since ids are unique per shard only. */
export function hubSource(shard: number | undefined): string {
  return shard === undefined ? "hub" : `hub/${shard}`;
}

/** A source's row, made the first time. */
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
 * Moves a source on, and locks it until the commit. False when another worker was faster: then the page is to be dropped.
 * `readAtMs` is when reading began: what happened after that may not be in it.
 */
export async function moveSource(
  tx: Tx,
  source: Source,
  changes: Updateable<SourceTable>,
  readAtMs: number,
): Promise<boolean> {
  const moved = await tx
    .updateTable("castellan.sources")
    .set((eb) => ({
      ...changes,
      version: eb("version", "+", 1),
      good_at_ms: readAtMs,
      failing_since_ms: null,
      error: null,
    }))
    .where("source", "=", source.source)
    .where("version", "=", source.version)
    .executeTakeFirst();
  return moved.numUpdatedRows > 0n;
}

/** Notes that there was nothing new when the source was read, from `readAtMs` on. */
export async function markGood(context: BotContext, source: Source, readAtMs: number): Promise<void> {
  await context.database.query
    .updateTable("castellan.sources")
    .set({ good_at_ms: readAtMs, behind: false, failing_since_ms: null, error: null })
    .where("source", "=", source.source)
    .execute();
}

/** Runs one poll of a source. A failure is noted for /status, logged when it is the first, and thrown on. */
export async function noteFailure<T>(
  context: BotContext,
  source: string,
  poll: () => Promise<T>,
): Promise<T> {
  try {
    return await poll();
  } catch (error) {
    const message = toStorable(error instanceof Error ? error.message : String(error)).slice(0, 500);
    const note = context.database.query
      .updateTable("castellan.sources")
      .set({ error: message })
      .where("source", "=", source);
    const begun = await note
      .set({ failing_since_ms: context.clock.now() })
      .where("failing_since_ms", "is", null)
      .executeTakeFirst();
    if (begun.numUpdatedRows > 0n) context.log.warn({ source, err: error }, "a source cannot be read");
    else await note.execute();
    throw error;
  }
}
