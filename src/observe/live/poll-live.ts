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
import { inBackground, type LiveContext } from "./live-context.ts";
import { soonest, type ReadingPlan } from "./plan-reading.ts";
import { pollChannelEvents } from "./poll-channel-events.ts";
import { pollNewest } from "./poll-newest.ts";

/** Seconds until events are asked for again, of a network that fails to give them, or says that it serves none. */
const askAgain = { failing: 60, notServed: 600 };

/** Reads what happened in all channels: by their events where the network gives these, else by the newest entries. */
export async function pollChanges(context: LiveContext): Promise<void> {
  const { database, clock } = context;
  const plan = await readCachedPlan(context);
  const events = await openSource(database.query, eventsSource, null);
  const isServed =
    events.tried_at_ms === null || events.good_at_ms !== null || events.failing_since_ms !== null;
  const every = plan.byEvents ? plan.events : isServed ? askAgain.failing : askAgain.notServed;
  if (isTime(events.tried_at_ms, every, clock.now())) {
    await noteTry(context, eventsSource);
    const told = await pollChannelEvents(context, events).catch((error: unknown) => {
      // It stands with the source; listings are read as soon as it has failed for a while.
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
  if (!isTime(newest.tried_at_ms, plan.newest, clock.now())) return;
  await noteTry(context, newestSource);
  await pollNewest(context, Math.max(events.good_at_ms ?? 0, events.position));
}

/** Channels that are read side by side, and that one run reads: the next one is not to be kept waiting. */
const parallel = 2;
const maxVisits = 10;
/** Seconds until a channel that could not be read has its turn again. */
const retryAfter = 300;

/**
 * Reads the channels whose turn it is: all their listings; and without events the members and the record of the busy ones in
 * between. One that cannot be read holds up no other.
 */
export async function pollInTurn(context: LiveContext): Promise<void> {
  const { plan, channels } = await readCurrentPlan(context);
  const nowMs = context.clock.now();
  const able = channels.filter((each) => !each.isFailing || isTime(each.triedAtMs, retryAfter, nowMs));
  const wholes = able.filter(isDueWhole(plan, channels, nowMs)).slice(0, maxVisits);
  const busy = plan.byEvents
    ? []
    : able
        .filter((each) => each.isBusy && !wholes.includes(each) && isTime(each.goodAtMs, plan.busy, nowMs))
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
  await mapLimited(visits, parallel, (each) => visit(each).catch((error: unknown) => failures.push(error)));
  const bug = failures.find((failure) => !asAppError(failure));
  if (bug !== undefined) throw bug;
}

/**
 * Whether all of a channel is to be read. One is begun with early where none was for as long as their turns are apart, so that those
 * that were linked together do not come due together.
 */
function isDueWhole(plan: ReadingPlan, channels: readonly WatchedChannel[], nowMs: number) {
  const latest = Math.max(...channels.map(({ wholeAtMs }) => wholeAtMs ?? 0));
  const isEarly = plan.whole > soonest.whole && nowMs - latest >= (plan.whole / plan.channels) * 1000;
  const oldest = channels.find(({ wholeAtMs, isFailing }) => wholeAtMs !== null && !isFailing);
  return (channel: WatchedChannel) =>
    isTime(channel.wholeAtMs, plan.whole, nowMs) || (isEarly && channel === oldest);
}

/** New followers, where a rule listens for them and no events tell: each channel as often as a busy one. */
export async function pollFollowersInTurn(context: LiveContext): Promise<void> {
  const { plan, channels } = await readCurrentPlan(context);
  if (plan.byEvents) return;
  const nowMs = context.clock.now();
  const rows = await context.database.query
    .selectFrom("castellan.sources")
    .select(["channel_id", "tried_at_ms"])
    .where("source", "like", "followers/%")
    .execute();
  const tried = new Map(rows.map((row) => [row.channel_id, row.tried_at_ms]));
  for (const { channelId, isBusy } of channels) {
    if (!isTime(tried.get(channelId) ?? null, isBusy ? plan.busy : plan.whole, nowMs)) continue;
    await pollFollowers(context, channelId).catch((error: unknown) => {
      // It stands with the source.
      if (!asAppError(error)) throw error;
    });
    await noteTry(context, `followers/${channelId}`);
  }
}

/** What a worker's run was woken for: one channel, or all. */
interface Call {
  key: string | undefined;
}

/** A worker's run: on the live network, unless it was woken for one channel, `inTurn` and within the budget; else as it is. */
export function whereLive(
  purpose: string,
  inTurn: (context: LiveContext) => Promise<void>,
  otherwise: (context: BotContext, call: Call) => Promise<void>,
) {
  return async (context: BotContext, call: Call): Promise<void> => {
    // What one channel is read for out of its turn is no news of all.
    const own = inBackground(context, call.key === undefined ? purpose : "channels");
    if (own.live && call.key === undefined) return inTurn({ ...own, live: own.live });
    return otherwise(own, call);
  };
}
