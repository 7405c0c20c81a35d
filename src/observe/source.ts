import type { Selectable, Updateable } from "kysely";
import type { BotContext } from "../bot-context.ts";
import type { Queryable, Tx } from "../database/database.ts";
import { toStorable } from "../text/storable.ts";
import type { SourceTable } from "../database/tables/observe.ts";

export type Source = Selectable<SourceTable>;

/** A source's row; made when it is asked for the first time. */
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
 * Takes a page for this worker and holds the source until the commit. False: another worker was faster, and the page is
 * to be dropped. `lookedAtMs` is when the look began: what happened after that may not be in it.
 */
export async function moveSource(
  tx: Tx,
  source: Source,
  changes: Updateable<SourceTable>,
  lookedAtMs: number,
): Promise<boolean> {
  const moved = await tx
    .updateTable("castellan.sources")
    .set((eb) => ({
      ...changes,
      version: eb("version", "+", 1),
      good_at_ms: lookedAtMs,
      failing_since_ms: null,
      error: null,
    }))
    .where("source", "=", source.source)
    .where("version", "=", source.version)
    .executeTakeFirst();
  return moved.numUpdatedRows > 0n;
}

/** Notes that there was nothing new in a look that began at `lookedAtMs`. */
export async function markGood(context: BotContext, source: Source, lookedAtMs: number): Promise<void> {
  await context.database.query
    .updateTable("castellan.sources")
    .set({ good_at_ms: lookedAtMs, behind: false, failing_since_ms: null, error: null })
    .where("source", "=", source.source)
    .execute();
}

/** Runs one look at a source. What fails is noted for /status, logged when it begins to fail, and thrown on. */
export async function noteFailure<T>(
  context: BotContext,
  source: string,
  look: () => Promise<T>,
): Promise<T> {
  try {
    return await look();
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
