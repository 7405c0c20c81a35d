import { sql } from "kysely";
import type { BotContext } from "../bot-context.ts";

/*
 * Discord temporarily bans an address that makes 10,000 calls within ten minutes that it answers with 401, 403 or 429. All
 * processes of an installation may share one address, so they count together.
 */

/**
 * Refused calls in ten minutes: from `told` on the operator is informed, then background calls slow down, then they stop.
 */
export const refusedCallLimits = { told: 500, slowed: 1_000, stopped: 2_500, banned: 10_000 } as const;

/** Minutes that count, and that are stored. */
const counted = 10;

type Context = Pick<BotContext, "database" | "clock">;

export function minuteOf({ clock }: Pick<Context, "clock">): number {
  return Math.floor(clock.now() / 60_000);
}

/** Adds a process's counts, by UNIX minute. */
export async function storeRefusedCalls(
  { database, clock }: Context,
  counts: ReadonlyMap<number, number>,
): Promise<void> {
  const now = minuteOf({ clock });
  const rows = [...counts].map(([minute, calls]) => ({ minute, calls }));
  await database.query
    .insertInto("castellan.refused_calls")
    .values(rows)
    .onConflict((conflict) =>
      conflict.column("minute").doUpdateSet({ calls: sql`refused_calls.calls + excluded.calls` }),
    )
    .execute();
  // Future minutes were counted by a clock that was ahead.
  await database.query
    .deleteFrom("castellan.refused_calls")
    .where((is) => is.or([is("minute", "<=", now - counted), is("minute", ">", now + 1)]))
    .execute();
}

/** Calls that Discord refused to any process within the last ten minutes. */
export async function countRefusedCalls({ database, clock }: Context): Promise<number> {
  const now = minuteOf({ clock });
  const { calls } = await database.query
    .selectFrom("castellan.refused_calls")
    .select(sql<number>`coalesce(sum(calls), 0)`.as("calls"))
    .where("minute", ">", now - counted)
    .where("minute", "<=", now + 1)
    .executeTakeFirstOrThrow();
  return calls;
}

/** A sentence for the operator; undefined while the count is negligible. */
export function describeRefusedCalls(calls: number): string | undefined {
  const { told, slowed, stopped, banned } = refusedCallLimits;
  if (calls < told) return undefined;
  const doing =
    calls >= stopped
      ? "Castellan posts nothing until the count falls."
      : calls >= slowed
        ? "Castellan posts once a second until the count falls."
        : `From ${slowed} on, Castellan slows down.`;
  return `Discord refused ${calls} calls within ten minutes; at ${banned} it bans this machine's address for a while. ${doing} The log lists them.`;
}
