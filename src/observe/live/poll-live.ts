import { mapLimited } from "../../async.ts";
import type { BotContext } from "../../bot-context.ts";
import { asAppError } from "../../errors.ts";
import { pollListings } from "../listings/poll-listings.ts";
import { pollFollowers } from "../poll-followers.ts";
import { pollRecords } from "../records/poll-records.ts";
import { openSource } from "../sources.ts";
import {
  eventsSource,
  isTime,
  newestSource,
  noteTry,
  readCachedPlan,
  readCurrentPlan,
  type WatchedChannel,
} from "./current-plan.ts";
import type { Purpose } from "./call-limits.ts";
import { inBackground, type LiveContext } from "./live-context.ts";
import { soonest, type ReadingPlan } from "./plan-reading.ts";
import { pollChannelEvents } from "./poll-channel-events.ts";
import { pollNewest } from "./poll-newest.ts";

/** Seconds until events are requested again from a network that fails to return them, or does not serve them. */
const retryEventsSeconds = { failing: 60, notServed: 600 };

/** Reads the changes of all channels: from their events if the network has them, otherwise from the newest entries. */
export async function pollChanges(context: LiveContext): Promise<void> {
  const { database, clock } = context;
  const plan = await readCachedPlan(context);
  const events = await openSource(database.query, eventsSource, null);
  const isServed =
    events.attempted_at_ms === null || events.succeeded_at_ms !== null || events.failing_since_ms !== null;
  const every = plan.byEvents
    ? plan.events
    : isServed
      ? retryEventsSeconds.failing
      : retryEventsSeconds.notServed;
  if (isTime(events.attempted_at_ms, every, clock.now())) {
    await noteTry(context, eventsSource);
    const told = await pollChannelEvents(context, events).catch((error: unknown) => {
      // Already noted with the source. Listings are read once it has failed for a while.
      if (!asAppError(error)) throw error;
      return plan.byEvents;
    });
    if (told) {
      if (!plan.byEvents && context.live.latest) context.live.latest.until = -Infinity;
      return;
    }
  }
  if (plan.byEvents) return;
  const newest = await openSource(database.query, newestSource, null);
  if (!isTime(newest.attempted_at_ms, plan.newest, clock.now())) return;
  await noteTry(context, newestSource);
  await pollNewest(context, Math.max(events.succeeded_at_ms ?? 0, events.position));
}

/** Channels that are read in parallel, and in one run, so that the next run need not wait. */
const maxParallel = 2;
const maxVisits = 10;
/** A failed channel has its next turn after this long. */
const retrySeconds = 300;

/**
 * Reads all listings of the channels whose turn it is. Without events it also reads the members and the record of busy
 * channels in between. A channel that fails delays no other.
 */
export async function pollInTurn(context: LiveContext): Promise<void> {
  const { plan, channels } = await readCurrentPlan(context);
  const nowMs = context.clock.now();
  const able = channels.filter((each) => !each.isFailing || isTime(each.attemptedAtMs, retrySeconds, nowMs));
  const wholes = able.filter(isDueWhole(plan, channels, nowMs)).slice(0, maxVisits);
  const busy = plan.byEvents
    ? []
    : able
        .filter(
          (each) => each.isBusy && !wholes.includes(each) && isTime(each.succeededAtMs, plan.busy, nowMs),
        )
        .slice(0, maxVisits);
  const visit = async ({ channelId, isWhole }: { channelId: string; isWhole: boolean }) => {
    await noteTry(context, `listings/${channelId}`);
    await pollListings(context, channelId, isWhole ? undefined : ["members"]);
    if (isWhole) await pollRecords(context, channelId);
  };
  const visits = [
    ...wholes.map(({ channelId }) => ({ channelId, isWhole: true })),
    ...busy.map(({ channelId }) => ({ channelId, isWhole: false })),
  ];
  const failures: unknown[] = [];
  await mapLimited(visits, maxParallel, (each) =>
    visit(each).catch((error: unknown) => failures.push(error)),
  );
  const bug = failures.find((failure) => !asAppError(failure));
  if (bug !== undefined) throw bug;
}

/**
 * Whether a channel needs a complete reading. If no channel was read for a whole interval between turns, the oldest is
 * read early, so that channels that were linked together do not come due together.
 */
function isDueWhole(plan: ReadingPlan, channels: readonly WatchedChannel[], nowMs: number) {
  const latest = Math.max(...channels.map(({ allListingsAtMs }) => allListingsAtMs ?? 0));
  const isEarly = plan.whole > soonest.whole && nowMs - latest >= (plan.whole / plan.channels) * 1000;
  const oldest = channels.find(({ allListingsAtMs, isFailing }) => allListingsAtMs !== null && !isFailing);
  return (channel: WatchedChannel) =>
    isTime(channel.allListingsAtMs, plan.whole, nowMs) || (isEarly && channel === oldest);
}

/** Reads new followers if a rule needs them and there are no events. */
export async function pollFollowersInTurn(context: LiveContext): Promise<void> {
  const { plan, channels } = await readCurrentPlan(context);
  if (plan.byEvents) return;
  const nowMs = context.clock.now();
  const rows = await context.database.query
    .selectFrom("castellan.sources")
    .select(["channel_id", "attempted_at_ms"])
    .where("source", "like", "followers/%")
    .execute();
  const tried = new Map(rows.map((row) => [row.channel_id, row.attempted_at_ms]));
  for (const { channelId, isBusy } of channels) {
    if (!isTime(tried.get(channelId) ?? null, isBusy ? plan.busy : plan.whole, nowMs)) continue;
    await pollFollowers(context, channelId).catch((error: unknown) => {
      // Already noted with the source.
      if (!asAppError(error)) throw error;
    });
    await noteTry(context, `followers/${channelId}`);
  }
}

/** The reason of a worker's run: `key` is a channel; undefined for all. */
interface Call {
  key: string | undefined;
}

/** A worker's run. On the live network it reads `inTurn`, within the budget, unless it was woken for one channel. */
export function whereLive(
  purpose: Purpose,
  inTurn: (context: LiveContext) => Promise<void>,
  otherwise: (context: BotContext, call: Call) => Promise<void>,
) {
  return async (context: BotContext, call: Call): Promise<void> => {
    // A single channel read out of turn does not count as news of all channels.
    const own = inBackground(context, call.key === undefined ? purpose : "channels");
    if (own.live && call.key === undefined) return inTurn({ ...own, live: own.live });
    return otherwise(own, call);
  };
}
