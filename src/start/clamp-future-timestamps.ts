import { sql, type RawBuilder } from "kysely";
import type { NetworkClock } from "../client/network-clock.ts";
import type { Clock, ClockWatch } from "../clock.ts";
import type { Database, Queryable } from "../database/database.ts";
import { isTooSlow } from "../database/unavailable.ts";
import type { Log } from "../log.ts";

/** Columns for past events, which cannot be later than now. UNIX milliseconds, by table. */
const past: Record<string, readonly string[]> = {
  "castellan.absent_servers": ["since_ms"],
  "castellan.links": [
    "linked_at_ms",
    "verified_at_ms",
    "suspended_at_ms",
    "unreadable_since_ms",
    "unreadable_at_ms",
    "bot_role_lost_at_ms",
    "onboarding_checked_at_ms",
  ],
  "castellan.staff_proofs": ["proven_at_ms", "custody_read_at_ms"],
  "castellan.link_codes": ["used_at_ms"],
  "castellan.requested_parents": ["requested_at_ms"],
  "castellan.code_casts": ["judged_at_ms"],
  "castellan.watched_channels": ["since_ms"],
  "castellan.sources": [
    "succeeded_at_ms",
    "completed_at_ms",
    "all_listings_at_ms",
    "attempted_at_ms",
    "failing_since_ms",
    "unreadable_since_ms",
  ],
  "castellan.upstream_backoffs": ["since_ms", "announced_at_ms"],
  "castellan.bot_keys": ["accepted_at_ms", "refused_at_ms", "refusal_announced_at_ms", "checked_at_ms"],
  "castellan.channel_events": ["happened_at_ms"],
  "castellan.cases": ["sent_at_ms", "settled_at_ms"],
  "castellan.bulks": ["begun_at_ms", "ended_at_ms"],
  "castellan.room_queues": ["paused_since_ms", "delivered_at_ms", "mentioned_at_ms"],
  "castellan.feed_messages": ["bound_at_ms"],
  "castellan.review_items": ["queued_at_ms", "claimed_at_ms", "reminded_at_ms", "escalated_at_ms"],
  "castellan.reports": ["reported_at_ms"],
  "castellan.appeals": ["made_at_ms"],
  "castellan.rule_breakers": ["tripped_at_ms"],
  "castellan.erasures": ["requested_at_ms"],
  "castellan.outbox": ["requested_at_ms", "settled_at_ms"],
  "castellan.token_uses": ["seen_at_ms"],
  "castellan.api_requests": ["requested_at_ms"],
  "castellan.api_tokens": ["used_at_ms", "revoked_at_ms"],
  "castellan.webhooks": ["created_at_ms", "succeeded_at_ms", "failing_since_ms", "announced_at_ms"],
  "castellan.gateways": ["started_at_ms", "seen_at_ms"],
  "castellan.rule_decisions": ["decided_at_ms"],
  "castellan.link_lists": ["succeeded_at_ms", "attempted_at_ms"],
};

const [minute, day] = [60_000, 86_400_000];

/** Columns for planned times, with the longest possible wait in milliseconds. */
const waits: Record<string, Record<string, number | RawBuilder<number>>> = {
  // A person who requested a longer pause can request it again.
  "castellan.cases": { leased_until_ms: minute, retry_at_ms: 15 * minute },
  "castellan.bulks": { leased_until_ms: 2 * minute, retry_at_ms: 60 * minute },
  "castellan.room_queues": { leased_until_ms: minute, retry_at_ms: 60 * minute, held_until_ms: day },
  "castellan.rule_evaluations": { leased_until_ms: minute },
  "castellan.rule_timers": { due_at_ms: sql<number>`every_seconds * 1000` },
  "castellan.rule_cooldowns": { until_ms: 30 * day },
  "castellan.route_backoffs": { until_ms: 60 * minute, people_until_ms: 60 * minute },
  "castellan.watched_channels": { past_retry_at_ms: 10 * minute },
  "castellan.reply_readings": { retry_at_ms: 60 * minute },
  "castellan.prompts": { expires_at_ms: day },
  "castellan.erasures": { repeat_until_ms: 10 * minute },
  "castellan.outbox": { leased_until_ms: minute, due_at_ms: 60 * minute },
  "castellan.webhooks": { retry_at_ms: 60 * minute },
  "castellan.feed_messages": { retry_at_ms: 60 * minute },
  "castellan.link_lists": { next_at_ms: day },
  "castellan.api_requests": { leased_until_ms: 2 * minute },
  "castellan.gateways": { leased_until_ms: minute },
  "castellan.identify_turns": { next_at_ms: 10 * minute },
};

/** Intervals from one time to another. One that was started by a fast clock keeps its length. */
const spans: Record<string, readonly [begin: string, end: string]> = {
  "castellan.cases": ["requested_at_ms", "due_at_ms"],
  "castellan.link_codes": ["made_at_ms", "expires_at_ms"],
  "castellan.automod_pauses": ["paused_at_ms", "until_ms"],
  "castellan.lockdowns": ["begun_at_ms", "until_ms"],
  "castellan.strikes": ["given_at_ms", "expires_at_ms"],
  "castellan.console_sessions": ["begun_at_ms", "expires_at_ms"],
  "castellan.api_tokens": ["created_at_ms", "expires_at_ms"],
};

/** Stored times that are corrected if impossible. Others are only displayed, or follow the calendar. */
export const mended = { past, waits, spans };

/** Allowed difference between processes and machines in milliseconds. */
const tolerance = 5_000;

/** The latest possible value of a column, which replaces later values. */
type Bound = readonly [column: string, latest: RawBuilder<unknown>];

/**
 * Corrects stored times that were written by a clock ahead of `now` (UNIX milliseconds). Otherwise leases, waits and
 * links would last until the clock reaches them again. Returns the tables that are too large to be read within the database's
 * time limit. They stay as they are, because clocks are rarely ahead, and Castellan has to start.
 */
export async function clampFutureTimestamps({ query }: Database, now: number): Promise<string[]> {
  const tables = new Set([past, waits, spans].flatMap((known) => Object.keys(known)));
  const tooLarge: string[] = [];
  for (const table of tables) {
    await bringBack(query, table, boundsOf(table, sql<number>`${now}::bigint`)).catch((error: unknown) => {
      if (!isTooSlow(error)) throw error;
      tooLarge.push(table);
    });
  }
  return tooLarge;
}

function boundsOf(table: string, now: RawBuilder<number>): Bound[] {
  const bounds: Bound[] = (past[table] ?? []).map((column) => [column, now]);
  for (const [column, longest] of Object.entries(waits[table] ?? {}))
    bounds.push([column, sql`${now} + ${longest}`]);
  const span = spans[table];
  if (!span) return bounds;
  const [begin, end] = span;
  return [...bounds, [begin, now], [end, sql`${now} + (${sql.ref(end)} - ${sql.ref(begin)})`]];
}

/** One statement for all of a table's columns, because it reads the whole table. */
async function bringBack(db: Queryable, table: string, bounds: readonly Bound[]): Promise<void> {
  const isLater = ([column, latest]: Bound) => sql`${sql.ref(column)} > ${latest} + ${sql.lit(tolerance)}`;
  const mended = bounds.map((bound) => {
    const [column, latest] = bound;
    return sql`${sql.ref(column)} = case when ${isLater(bound)} then ${latest} else ${sql.ref(column)} end`;
  });
  await sql`
    update ${sql.table(table)} set ${sql.join(mended)} where ${sql.join(bounds.map(isLater), sql` or `)}
  `.execute(db);
}

/** The sources of the present time. */
export interface Times {
  database: Database;
  /** The machine's clock. */
  clock: Clock;
  clockWatch: ClockWatch;
  /** The clock of a network on another machine, which then takes precedence. */
  networkClock: NetworkClock | undefined;
  log: Log;
}

/** Corrects times at the start, because the clock may have been set meanwhile, and whenever it is set back. */
export async function keepTimesPossible(times: Times): Promise<void> {
  const { clockWatch, networkClock, log } = times;
  const fix = async () => {
    const tooLarge = await clampFutureTimestamps(times.database, await latestNow(times));
    if (tooLarge.length > 0) log.warn({ tables: tooLarge }, "could not correct stored times of large tables");
  };
  const fixLater = (by: number) => {
    if (by > 0) return;
    fix().catch((error: unknown) =>
      log.error({ err: error }, "could not correct stored times after a clock jump"),
    );
  };
  clockWatch.onJump(({ by }) => {
    if (networkClock) networkClock.reset();
    else fixLater(by);
  });
  networkClock?.onCorrected(fixLater);
  await fix();
}

/** Other processes write to a server too, so a time that is past by its clock or by ours may be right. */
async function latestNow({ database, clock, networkClock }: Times): Promise<number> {
  const now = (networkClock ?? clock).now();
  if (database.engine === "embedded") return now;
  const { rows } = await sql<{ now: number }>`
    select (extract(epoch from clock_timestamp()) * 1000)::bigint as now
  `.execute(database.query);
  return Math.max(now, rows[0]?.now ?? now);
}
