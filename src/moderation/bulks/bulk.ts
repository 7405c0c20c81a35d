import { sql, type Selectable } from "kysely";
import { camelCased, type CamelCased } from "../../database/camel-case.ts";
import type { Queryable } from "../../database/database.ts";
import type { BulkTable } from "../../database/tables/moderation.ts";
import { AppError } from "../../errors.ts";
import { showNumber } from "../../text/numbered.ts";
import { toCase, type Case } from "../cases/case.ts";
import type { BotContext } from "../../bot-context.ts";
import type { CaseState } from "../../database/tables/case-states.ts";

/*
 * A bulk is one action of a person on many targets. It begins with all of its cases (begin.ts), which pass through the
 * same states as single ones; a worker applies them a few at a time (run.ts) until none is left. The cases are the source
 * of truth: a bulk's numbers are always counted from them (src/feed/render/bulk.ts).
 */

export type { BulkKind } from "../../database/tables/moderation.ts";

/** An action on many targets. */
export type Bulk = CamelCased<Selectable<BulkTable>>;

/** The channels in which a bulk acts. */
export function channelsOf({ channelId, otherChannelIds }: Bulk): string[] {
  return [channelId, ...otherChannelIds];
}

/** The most targets of one bulk: if there are more, the rest is reported. */
export const maxTargets = 5000;

export async function readBulk(query: Queryable, bulkId: number): Promise<Bulk> {
  const row = await query
    .selectFrom("castellan.bulks")
    .selectAll()
    .where("id", "=", bulkId)
    .executeTakeFirstOrThrow();
  return camelCased(row);
}

/** A server's bulk by its number. Throws `not_found`. */
export async function requireBulk(query: Queryable, guildId: string, number: number): Promise<Bulk> {
  const row = await query
    .selectFrom("castellan.bulks")
    .selectAll()
    .where("guild_id", "=", guildId)
    .where("number", "=", number)
    .executeTakeFirst();
  if (row) return camelCased(row);
  throw new AppError(
    "not_found",
    `There is no bulk ${showNumber("bulk", number)} in this server. /case show bulks:True lists them.`,
  );
}

/** Bulks that act in any of these channels, newest first. */
export async function listBulks(
  query: Queryable,
  guildId: string,
  channelIds: readonly string[],
  before: number | undefined,
  limit: number,
): Promise<Bulk[]> {
  if (channelIds.length === 0) return [];
  const rows = await query
    .selectFrom("castellan.bulks")
    .selectAll()
    .where("guild_id", "=", guildId)
    .where((is) =>
      is.or([
        is("channel_id", "in", channelIds),
        sql<boolean>`other_channel_ids && ${[...channelIds]}::text[]`,
      ]),
    )
    .$if(before !== undefined, (bulks) => bulks.where("number", "<", before ?? 0))
    .orderBy("number", "desc")
    .limit(limit)
    .execute();
  return rows.map(camelCased);
}

/** Whether a bulk is being undone. */
export async function isBeingUndone(query: Queryable, bulkId: number): Promise<boolean> {
  const row = await query
    .selectFrom("castellan.bulks")
    .select("id")
    .where("undoes_bulk_id", "=", bulkId)
    .where("ended_at_ms", "is", null)
    .executeTakeFirst();
  return row !== undefined;
}

/** The cases of a bulk, in order; with `state` only those in that state. */
export async function listCasesOfBulk(
  query: Queryable,
  bulkId: number,
  { state, limit }: { state?: CaseState; limit: number },
): Promise<Case[]> {
  const rows = await query
    .selectFrom("castellan.cases")
    .selectAll()
    .where("bulk_id", "=", bulkId)
    .$if(state !== undefined, (cases) => cases.where("state", "=", state ?? "failed"))
    .orderBy("id")
    .limit(limit)
    .execute();
  return rows.map(toCase);
}

/** Stops a bulk: its next run settles the remaining cases as stopped. False if it has ended. */
export async function stopBulk({ database }: BotContext, bulkId: number, userId: string): Promise<boolean> {
  const { numUpdatedRows } = await database.query
    .updateTable("castellan.bulks")
    .set({ stopped_by: userId, retry_at_ms: null })
    .where("id", "=", bulkId)
    .where("ended_at_ms", "is", null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
