import { sql } from "kysely";
import type { BotContext } from "../../bot-context.ts";
import { newsPurpose, type RouteUse } from "./call-budget.ts";
import { keptForPeople, routesOfChannel, type CallLimits } from "./call-limits.ts";
import type { LiveContext } from "./live-context.ts";
import { planReading, type ReadingPlan } from "./plan-reading.ts";

/** The sources that tell of all channels at once. */
export const eventsSource = "channel-events";
export const newestSource = "newest";

/** What happened in a channel so lately makes it one of those that may be busy, in seconds. */
const busyFor = 900;
/** In milliseconds. */
const hour = 3600_000;
/** Without events for so long, or for several intervals, listings are read instead. */
const maxSilenceMs = 60_000;

/** A plan holds so long, in milliseconds. */
const planLasts = 10_000;

/** How often what is read, as it was found to be a moment ago. */
export async function readCachedPlan(context: LiveContext): Promise<ReadingPlan> {
  const { latest } = context.live;
  if (latest && context.clock.monotonic() < latest.until) return latest.plan;
  return (await readCurrentPlan(context)).plan;
}

/** A watched channel, and how it was last read. UNIX milliseconds. */
export interface WatchedChannel {
  channelId: string;
  /** Among those where most happened lately. */
  isBusy: boolean;
  /** It was linked, so read for the first time, within the last hour. */
  isFresh: boolean;
  succeededAtMs: number | null;
  allListingsAtMs: number | null;
  attemptedAtMs: number | null;
  isFailing: boolean;
}

/** How often what is read, as things stand: the budget, the channels, and whether their events can be had. */
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
    // One that was busy is read once more as such, for so it was said when something happened there.
    if (at !== undefined && (at === nowMs || (succeededAtMs ?? 0) < at)) busyAtMs.set(channelId, at);
  }
  live.latest = { plan, busyAtMs, until: clock.monotonic() + planLasts };
  return { plan, channels: rows.map((row) => ({ ...row, isBusy: busyAtMs.has(row.channelId) })) };
}

/** What takes turns, so that it is what the plan divides. */
const inTurn: ReadonlySet<string> = new Set([newsPurpose, "channels", "followers"]);

/** Calls of a route within an hour for what does not take turns, beyond what is kept free for people. */
function takenBesides(
  limits: CallLimits,
  channels: number,
  uses: readonly RouteUse[],
  route: string,
): number {
  const { "": people = 0, ...others } = uses.find((use) => use.route === route)?.byPurpose ?? {};
  const besides = Object.entries(others).filter(([purpose]) => !inTurn.has(purpose));
  const sum = besides.reduce((total, [, calls]) => total + calls, 0);
  // The proof of each link rests on its channel's record, which is read once an hour.
  const proofs = route === routesOfChannel[0] ? channels : 0;
  return Math.max(0, people - keptForPeople(limits, route)) + Math.max(sum, proofs);
}

/** Notes that it is tried now to read a source in its turn. */
export async function noteTry({ database, clock }: BotContext, source: string): Promise<void> {
  await database.query
    .updateTable("castellan.sources")
    .set({ attempted_at_ms: clock.now() })
    .where("source", "=", source)
    .execute();
}

/** Whether a source was last read long enough ago. A run that is a little early is better than one that is an interval late. */
export function isTime(readAtMs: number | null, everySeconds: number, nowMs: number): boolean {
  return readAtMs === null || nowMs < readAtMs || nowMs - readAtMs >= everySeconds * 1000 - tick / 2;
}

/** Milliseconds between two runs of the polls. */
const tick = 2_000;
