import { sql } from "kysely";
import type { BotContext } from "../../bot-context.ts";

/*
 * Hosted hubs count calls, so one is made where somebody may want its answer. The worker still runs each minute: what nobody
 * wanted yet is read while the hub retains it, so nothing is missed.
 */

/** What a process knows since it last read the hub. */
interface HubRead {
  /** Monotonic milliseconds. */
  at: number;
  /** A server is linked, or somebody has a code that they may have cast. */
  isWanted: boolean;
  hadNews: boolean;
}

/** By the database, because a process has one. */
const reads = new WeakMap<BotContext["database"], HubRead>();

/** A code is looked for so much longer than it is valid: hubs may be late. */
const lateCodeMs = 120_000;

/** Notes that the hub was read. Where nothing was new, the next interval is left out. */
export async function noteHubRead({ database, clock }: BotContext, hadNews: boolean): Promise<void> {
  const { rows } = await sql<{ wanted: boolean }>`
    select exists (select from castellan.links) or exists (
      select from castellan.link_codes where used_at_ms is null and expires_at_ms > ${clock.now() - lateCodeMs}
    ) as wanted
  `.execute(database.query);
  reads.set(database, { at: clock.monotonic(), isWanted: rows[0]?.wanted ?? true, hadNews });
}

/** Whether it is time to read a hub that is elsewhere. Linking a channel and giving out a code wake the worker. */
export function isHubDue({ database, clock, settings }: BotContext): boolean {
  const read = reads.get(database);
  if (!read) return true;
  if (!read.isWanted) return false;
  return read.hadNews || clock.monotonic() - read.at >= 1500 * settings.hubSeconds;
}
