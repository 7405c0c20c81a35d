import {
  backgroundLimitsOf,
  eventsRoute,
  routesOfAll,
  routesOfChannel,
  type CallLimits,
} from "./call-limits.ts";

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
  /** The same when as many channels are busy as may be. */
  busyAtMost: number;
  /** All listings of any channel. */
  whole: number;
  channels: number;
  busyChannels: number;
}

export interface Watching {
  byEvents: boolean;
  channels: number;
  /** Of them, those where something happened lately; the busiest of them are read the more often. */
  activeChannels: number;
  /** Calls an hour that something else takes of a route: first readings, proofs of links, rules, and people beyond their part. */
  takenOf?: (route: string) => number;
}

/** Not more often than this, in seconds, however much room there is. */
export const soonest = { events: 4, newest: 4, busy: 10, whole: 300 };
/** Only so many channels are busy ones that each of them is read so often at least, in seconds. */
const busyWithin = 300;
/** Of the calls that there is room for, so many are planned: pages, repetitions and what is read out of turn need some. */
const planned = 0.9;
/** Whatever else goes on, reading does not stop: of what there is room for, so much is planned at least. */
const minPlanned = 0.1;
/** Of these, for whole readings of each channel in turn; the rest for what is news. */
const forWhole = 1 / 3;

/** Divides the budget: each route has its own, and the tightest decides. */
export function planReading(limits: CallLimits, watching: Watching): ReadingPlan {
  const { byEvents, channels, activeChannels, takenOf = () => 0 } = watching;
  const hourlyOf = (route: string) => {
    const { hour } = backgroundLimitsOf(limits, route);
    return Math.max(planned * hour - takenOf(route), minPlanned * hour);
  };
  const hourly = (routes: readonly string[]) => Math.min(...routes.map(hourlyOf));
  const [each, all] = [hourly(routesOfChannel), hourly(routesOfAll)];
  const forBusy = each * (1 - forWhole);
  const maxBusy = Math.min(channels, Math.max(1, Math.floor((forBusy * busyWithin) / 3600)));
  const busyChannels = Math.min(activeChannels, maxBusy);
  const busyOf = (count: number) => Math.max(soonest.busy, (count * 3600) / forBusy);
  // With events nothing but whole readings takes these routes; what is read besides, now and then, needs some.
  const wholes = Math.min(each, all) * (byEvents ? 2 * forWhole : forWhole);
  return {
    byEvents,
    events: Math.max(soonest.events, 3600 / (backgroundLimitsOf(limits, eventsRoute).hour * 0.97)),
    newest: Math.max(soonest.newest, 3600 / (all * (1 - forWhole))),
    busy: busyOf(busyChannels),
    busyAtMost: busyOf(maxBusy),
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
    // Others may become busy before a channel has its turn.
    busy: plan.busyAtMost + channels,
    quiet: plan.whole + channels,
  };
}

/** Seconds between two runs of the workers. */
const runs = { changes: 2, channels: 10 };
