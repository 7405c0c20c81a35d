import { sql } from "kysely";
import type { BotContext } from "../../bot-context.ts";
import { newsPurpose, type RouteUse } from "./call-budget.ts";
import { keptForPeople, routesOfChannel, type CallLimits } from "./call-limits.ts";
import type { LiveContext } from "./live-context.ts";
import { planReading, runEvery, type ReadingPlan } from "./plan-reading.ts";

/** Sources that cover all channels at once. */
export const eventsSource = "channel-events";
export const newestSource = "newest";

/** A channel with events within this many seconds can count as busy. */
const busyFor = 900;
const hour = 3600_000;
/** If events are silent for this long, or for several intervals, listings are read instead. */
const maxSilenceMs = 60_000;

/** How long a plan is valid, in milliseconds. */
const planLasts = 10_000;

/** The reading plan, which may be some seconds old. */
export async function readCachedPlan(context: LiveContext): Promise<ReadingPlan> {
  const { latest } = context.live;
  if (latest && context.clock.monotonic() < latest.until) return latest.plan;
  return (await readCurrentPlan(context)).plan;
}

/** A watched channel, and how it was last read. UNIX milliseconds. */
export interface WatchedChannel {
  channelId: string;
  /** One of the channels with the most events lately. */
  isBusy: boolean;
  /** It was linked, and so first read, within the last hour. */
  isFresh: boolean;
  succeededAtMs: number | null;
  allListingsAtMs: number | null;
  attemptedAtMs: number | null;
  isFailing: boolean;
}

/** The current reading plan, by the budget, the channels, and whether their events are available. */
export async function readCurrentPlan(
  context: LiveContext,
): Promise<{ plan: ReadingPlan; channels: readonly WatchedChannel[] }> {
  const { database, clock, live } = context;
  const nowMs = clock.now();
  const since = Math.floor(nowMs / 1000) - busyFor;
  const { rows } = await sql<Omit<WatchedChannel, "isBusy"> & { happened: number }>`
    select watched.channel_id as "channelId", source.succeeded_at_ms as "succeededAtMs", source.all_listings_at_ms as "allListingsAtMs",
      source.attempted_at_ms as "attemptedAtMs", source.failing_since_ms is not null as "isFailing",
      watched.since_ms > ${nowMs - hour} as "isFresh",
      coalesce(lately.happened, 0)::int as happened
    from castellan.watched_channels watched
    left join (
      select channel_id, count(*) as happened from castellan.events where occurred_at > ${since} group by channel_id
    ) lately on lately.channel_id = watched.channel_id
    left join castellan.sources source on source.source = 'listings/' || watched.channel_id
    order by source.all_listings_at_ms nulls first
  `.execute(database.query);
  const events = await database.query
    .selectFrom("castellan.sources")
    .select("succeeded_at_ms")
    .where("source", "=", eventsSource)
    .executeTakeFirst();
  const active = rows
    .filter(({ happened }) => happened > 0)
    .toSorted((one, other) => other.happened - one.happened);
  const first = rows.filter(({ isFresh }) => isFresh).length;
  const uses = await live.budget.readUse();
  const takenOf = (route: string) => first + takenBesides(live.budget.limits, rows.length, uses, route);
  const watching = { channels: rows.length, activeChannels: active.length, takenOf };
  const ifByEvents = planReading(live.budget.limits, { ...watching, byEvents: true });
  const silence = nowMs - (events?.succeeded_at_ms ?? 0);
  const byEvents = silence < Math.max(maxSilenceMs, 3000 * ifByEvents.events);
  const plan = byEvents ? ifByEvents : planReading(live.budget.limits, { ...watching, byEvents });
  live.budget.keepForNews(byEvents ? 0 : 3600 / plan.newest);
  const busiest = new Set(active.slice(0, plan.busyChannels));
  const before = live.latest?.busyAtMs;
  const busyAtMs = new Map<string, number>();
  for (const row of rows) {
    const { channelId, succeededAtMs } = row;
    const at = busiest.has(row) ? nowMs : before?.get(channelId);
    // A channel that was busy gets one more reading at that rate, because that delay was promised at the time.
    if (at !== undefined && (at === nowMs || (succeededAtMs ?? 0) < at)) busyAtMs.set(channelId, at);
  }
  live.latest = { plan, busyAtMs, until: clock.monotonic() + planLasts };
  return { plan, channels: rows.map((row) => ({ ...row, isBusy: busyAtMs.has(row.channelId) })) };
}

/** Purposes that take turns, among which the plan divides the calls. */
const inTurn: ReadonlySet<string> = new Set([newsPurpose, "channels", "followers"]);

/** A route's calls within an hour for purposes that do not take turns, beyond the calls reserved for people. */
function takenBesides(
  limits: CallLimits,
  channels: number,
  uses: readonly RouteUse[],
  route: string,
): number {
  const { "": people = 0, ...others } = uses.find((use) => use.route === route)?.byPurpose ?? {};
  const besides = Object.entries(others).filter(([purpose]) => !inTurn.has(purpose));
  const sum = besides.reduce((total, [, calls]) => total + calls, 0);
  // Each link is verified by its channel's record, which is read once an hour.
  const proofs = route === routesOfChannel[0] ? channels : 0;
  return Math.max(0, people - keptForPeople(limits, route)) + Math.max(sum, proofs);
}

/** Notes an attempt to read a source in its turn. */
export async function noteTry({ database, clock }: BotContext, source: string): Promise<void> {
  await database.query
    .updateTable("castellan.sources")
    .set({ attempted_at_ms: clock.now() })
    .where("source", "=", source)
    .execute();
}

/** Whether a source was last read long enough ago. A run slightly early is better than one a whole interval late. */
export function isTime(readAtMs: number | null, everySeconds: number, nowMs: number): boolean {
  return (
    readAtMs === null || nowMs < readAtMs || nowMs - readAtMs >= (everySeconds - runEvery.changes / 2) * 1000
  );
}
