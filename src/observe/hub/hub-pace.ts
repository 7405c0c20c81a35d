import { sql } from "kysely";
import type { BotContext } from "../../bot-context.ts";

/*
 * Hosts of hubs count calls: one is made where somebody may want what it brings. A worker runs each minute all the same, so that
 * what nobody wanted yet is read while the hub has it still: nothing is missed by a rest.
 */

/** What a process knows since it read the hub last. */
interface Look {
  /** Of monotonic time. */
  at: number;
  /** A server is linked, or somebody has a code that they may have cast. */
  isWanted: boolean;
  hadNews: boolean;
}

/** By the database, for a process has one. */
const looks = new WeakMap<BotContext["database"], Look>();

/** A code is looked for so much longer than it works, in milliseconds: hubs that are late tell of it later. */
const afterCode = 120_000;

/** Notes what came of reading the hub. Where it gave nothing new, the next interval is left out. */
export async function noteLook({ database, clock }: BotContext, hadNews: boolean): Promise<void> {
  const { rows } = await sql<{ wanted: boolean }>`
    select exists (select from castellan.links) or exists (
      select from castellan.link_codes where used_at_ms is null and expires_at_ms > ${clock.now() - afterCode}
    ) as wanted
  `.execute(database.query);
  looks.set(database, { at: clock.monotonic(), isWanted: rows[0]?.wanted ?? true, hadNews });
}

/** Whether it is time to ask a hub that is elsewhere. Whoever links a channel, or gets a code, wakes the worker. */
export function isHubDue({ database, clock, settings }: BotContext): boolean {
  const look = looks.get(database);
  if (!look) return true;
  if (!look.isWanted) return false;
  return look.hadNews || clock.monotonic() - look.at >= 1500 * settings.hubSeconds;
}
