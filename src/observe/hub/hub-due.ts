import { sql } from "kysely";
import type { BotContext } from "../../bot-context.ts";

/*
 * Hosted hubs count calls, so a call is made only when somebody may need the result. The worker still runs each minute:
 * the rest is read while the hub still retains it, so nothing is missed.
 */

/** State of a process since it last read the hub. */
interface HubRead {
  /** Monotonic milliseconds. */
  at: number;
  /** A server is linked, or somebody has a code that they may have cast. */
  isWanted: boolean;
  hadNews: boolean;
}

/** Keyed by database, because a process has one. */
const reads = new WeakMap<BotContext["database"], HubRead>();

/** How long after its expiry a code is still looked for, because hubs may be late. */
const lateCodeMs = 120_000;

/** Notes that the hub was read. If nothing was new, the next interval is skipped. */
export async function noteHubRead({ database, clock }: BotContext, hadNews: boolean): Promise<void> {
  const { rows } = await sql<{ wanted: boolean }>`
    select exists (select from castellan.links) or exists (
      select from castellan.link_codes where used_at_ms is null and expires_at_ms > ${clock.now() - lateCodeMs}
    ) as wanted
  `.execute(database.query);
  reads.set(database, { at: clock.monotonic(), isWanted: rows[0]?.wanted ?? true, hadNews });
}

/** Whether it is time to read a remote hub. Linking a channel and issuing a code wake the worker. */
export function isHubDue({ database, clock, settings }: BotContext): boolean {
  const read = reads.get(database);
  if (!read) return true;
  if (!read.isWanted) return false;
  return read.hadNews || clock.monotonic() - read.at >= 1500 * settings.hubSeconds;
}
