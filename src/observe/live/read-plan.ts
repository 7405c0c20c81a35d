import { sql } from "kysely";
import type { BotContext } from "../../bot-context.ts";
import type { LiveReading } from "./call-budget.ts";
import { planReading, type ReadingPlan } from "./plan-reading.ts";

export type LiveContext = BotContext & { live: LiveReading };

/** The sources that tell of all channels at once. */
export const eventsSource = "channel-events";
export const newestSource = "newest";

/** What happened in a channel so lately makes it a busy one, in seconds. */
const busyFor = 900;
/** Without an answer for so long, in milliseconds, or for several intervals, listings are read instead. */
const eventsPatience = 60_000;

/** A plan holds so long, in milliseconds. */
const planLasts = 10_000;

/** How often what is read, as it was found to be a moment ago. */
export async function recallPlan(context: LiveContext): Promise<ReadingPlan> {
  const { latest } = context.live;
  if (latest && context.clock.monotonic() < latest.until) return latest.plan;
  return (await readPlan(context)).plan;
}

/** A watched channel, and how it was last read. UNIX milliseconds. */
export interface WatchedChannel {
  channelId: string;
  isBusy: boolean;
  goodAtMs: number | null;
  wholeAtMs: number | null;
  triedAtMs: number | null;
  isFailing: boolean;
}

/** How often what is read, as things stand: the budget, the channels, and whether their events can be had. */
export async function readPlan(
  context: LiveContext,
): Promise<{ plan: ReadingPlan; channels: readonly WatchedChannel[] }> {
  const { database, clock, live } = context;
  const nowMs = clock.now();
  const since = Math.floor(nowMs / 1000) - busyFor;
  const { rows: channels } = await sql<WatchedChannel>`
    select watched.channel_id as "channelId", source.good_at_ms as "goodAtMs", source.whole_at_ms as "wholeAtMs",
      source.tried_at_ms as "triedAtMs", source.failing_since_ms is not null as "isFailing",
      watched.channel_id in (
        select channel_id from castellan.events where occurred_at > ${since} and channel_id is not null
      ) as "isBusy"
    from castellan.watched_channels watched
    left join castellan.sources source on source.source = 'listings/' || watched.channel_id
    order by source.whole_at_ms nulls first
  `.execute(database.query);
  const events = await database.query
    .selectFrom("castellan.sources")
    .select("good_at_ms")
    .where("source", "=", eventsSource)
    .executeTakeFirst();
  const busyChannels = channels.filter(({ isBusy }) => isBusy).length;
  const watching = { channels: channels.length, busyChannels };
  const ifByEvents = planReading(live.budget.limits, { ...watching, byEvents: true });
  const silence = nowMs - (events?.good_at_ms ?? 0);
  const byEvents = silence < Math.max(eventsPatience, 3000 * ifByEvents.events);
  const plan = byEvents ? ifByEvents : planReading(live.budget.limits, { ...watching, byEvents });
  live.latest = { plan, until: clock.monotonic() + planLasts };
  return { plan, channels };
}

/** Notes that it is tried now to read a source in its turn. */
export async function noteTry({ database, clock }: BotContext, source: string): Promise<void> {
  await database.query
    .updateTable("castellan.sources")
    .set({ tried_at_ms: clock.now() })
    .where("source", "=", source)
    .execute();
}

/** The network as a background task asks it; the bot's own where it is in this process, for there a call costs nothing. */
export function inBackground(context: BotContext, purpose: string): BotContext {
  return context.live ? { ...context, network: context.live.background(purpose) } : context;
}

/** Whether a source was last read long enough ago. A run that is a little early is better than one that is an interval late. */
export function isTime(readAtMs: number | null, everySeconds: number, nowMs: number): boolean {
  return readAtMs === null || nowMs < readAtMs || nowMs - readAtMs >= everySeconds * 1000 - tick / 2;
}

/** Milliseconds between two runs of the polls. */
const tick = 2_000;
