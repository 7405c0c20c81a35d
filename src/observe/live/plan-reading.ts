import { backgroundLimitsOf, eventsRoute, type CallLimits } from "./call-limits.ts";

/** How often the live network is read, in seconds, and for how many channels. */
export interface ReadingPlan {
  /** One call tells of all channels what happened in them; else listings tell. */
  byEvents: boolean;
  /** The events of all channels. */
  events: number;
  /** The newest bans, restrictions, invites and records of all channels. */
  newest: number;
  /** Members and the record of a busy channel. */
  busy: number;
  /** All listings of any channel. */
  whole: number;
  channels: number;
  busyChannels: number;
}

export interface Watching {
  byEvents: boolean;
  channels: number;
  /** Of them, those where something happened lately. */
  busyChannels: number;
}

/** Routes that are read for each channel, and those of them that one call reads for all. */
const routesOfChannel = ["/v1/channel", "/fc/channel-members"];
const routesOfAll = [
  "/fc/channel-bans",
  "/fc/channel-restricted-users",
  "/fc/channel-invites",
  "/fc/moderated-casts",
];

/** Not more often than this, in seconds, however much room there is. */
const soonest = { events: 4, newest: 4, busy: 10, whole: 300 };
/** Of the calls that there is room for, so many are planned: pages, repetitions and what is read out of turn need some. */
const planned = 0.9;
/** Of these, for whole readings of each channel in turn; the rest for what is news. */
const forWhole = 1 / 3;

/** Divides the budget: each route has its own, and the tightest decides. */
export function planReading(limits: CallLimits, { byEvents, channels, busyChannels }: Watching): ReadingPlan {
  const hourly = (routes: readonly string[]) =>
    planned * Math.min(...routes.map((route) => backgroundLimitsOf(limits, route).hour));
  const [each, all] = [hourly(routesOfChannel), hourly(routesOfAll)];
  // With events nothing but whole readings takes these routes; what is read besides, now and then, needs some.
  const wholes = Math.min(each, all) * (byEvents ? 2 * forWhole : forWhole);
  return {
    byEvents,
    events: Math.max(soonest.events, 3600 / (backgroundLimitsOf(limits, eventsRoute).hour * 0.97)),
    newest: Math.max(soonest.newest, 3600 / (all * (1 - forWhole))),
    busy: Math.max(soonest.busy, (busyChannels * 3600) / (each * (1 - forWhole))),
    whole: Math.max(soonest.whole, (channels * 3600) / wholes),
    channels,
    busyChannels,
  };
}

/** How late something may be known, in seconds: the time between two readings, and until the run that has its turn. */
export function delaysOf(plan: ReadingPlan): { changes: number; busy: number; quiet: number } {
  const { changes, channels } = runs;
  return {
    changes: plan.byEvents ? plan.events + 1 : plan.newest + changes,
    busy: plan.busy + channels,
    quiet: plan.whole + channels,
  };
}

/** Seconds between two runs of the workers. */
const runs = { changes: 2, channels: 10 };
