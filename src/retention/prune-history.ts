import { sql, type RawBuilder } from "kysely";
import type { BotContext } from "../bot-context.ts";
import { blankCasts, deleteEvents } from "./delete-events.ts";
import { unsentStates } from "../feed/room-changes.ts";
import { stillWaits } from "../rules/pending/pending.ts";

/** These events are numerous, and old ones serve only rehearsals. */
const bulk = ["cast.created", "cast.removed", "username_proof.merged"];
/** The longest period of a rule's history condition, in seconds: all other events are stored for at least that long. */
const longest = 90 * 86_400;
const chunk = 500;

type PruneContext = Pick<BotContext, "database" | "clock" | "settings">;

/**
 * Deletes events beyond the history's age or number, and erases the texts of their casts, in short statements. Events
 * that still have to be posted or evaluated remain until then. Returns the number of deleted events.
 */
export async function pruneHistory(context: PruneContext): Promise<number> {
  const { clock, settings } = context;
  const now = Math.floor(clock.now() / 1000);
  const { seconds, events } = settings.history;
  const tooOld = sql<boolean>`occurred_at < ${now - seconds}
    and (kind = any(${bulk}::text[]) or occurred_at < ${now - Math.max(seconds, longest)})`;
  const tooMany = sql<boolean>`kind = any(${bulk}::text[])
    and id <= (select last_id from castellan.counters where name = 'events') - ${events}`;
  const old = await prune(context, tooOld, sql`occurred_at, id`);
  const surplus = await prune(context, tooMany, sql`id`);
  await blankOld(context, now - seconds);
  return old + surplus;
}

async function prune(
  { database, clock }: PruneContext,
  which: RawBuilder<boolean>,
  order: RawBuilder<unknown>,
) {
  for (let pruned = 0; ;) {
    const count = await database.transaction(async (tx) => {
      const { rows } = await sql<{ id: number; kind: string; cast_hash: string | null }>`
        select id, kind, cast_hash from castellan.events as event
        where ${which}
          and not exists (
            select from castellan.feed_rows as told left join castellan.feed_messages as message
              on message.id = told.message_id
            where told.event_id = event.id and (message.id is null or message.state = any(${[...unsentStates]}::text[])))
          and not exists (
            select from castellan.rule_evaluations as due where due.event_id = event.id and ${stillWaits})
          and not exists (
            select from castellan.review_items as held where held.event_id = event.id and held.state = 'open')
        order by ${order} limit ${chunk}
      `.execute(tx);
      await deleteEvents(
        tx,
        rows.map(({ id }) => id),
      );
      const casts = rows.flatMap(({ kind, cast_hash }) =>
        kind === "cast.created" && cast_hash ? [cast_hash] : [],
      );
      await blankCasts(tx, casts, clock.now());
      return rows.length;
    });
    pruned += count;
    if (count < chunk) return pruned;
  }
}

/** Casts without an event, read when a channel was linked. */
async function blankOld({ database, clock }: PruneContext, before: number): Promise<void> {
  for (let count = chunk; count === chunk;) {
    count = await database.transaction(async (tx) => {
      const rows = await tx
        .selectFrom("castellan.casts")
        .select("hash")
        .where("erased_at_ms", "is", null)
        .where("cast_at", "<", before)
        .orderBy("cast_at")
        .limit(chunk)
        .execute();
      return blankCasts(
        tx,
        rows.map(({ hash }) => hash),
        clock.now(),
      );
    });
  }
}
