import {
  backgroundLimitsOf,
  eventsRoute,
  routesOfAll,
  routesOfChannel,
  type CallLimits,
} from "./call-limits.ts";

/** How often the live network is read, in seconds, and for how many channels. */
export interface ReadingPlan {
  /** Changes come from the events of all channels, in one call; otherwise from listings. */
  byEvents: boolean;
  /** All channels' events. */
  events: number;
  /** All channels' newest bans, restrictions, invites and records. */
  newest: number;
  /** A busy channel's members and record. */
  busy: number;
  /** The same with the maximum number of busy channels. */
  busyAtMost: number;
  /** All listings of any channel. */
  whole: number;
  channels: number;
  busyChannels: number;
}

export interface Watching {
  byEvents: boolean;
  channels: number;
  /** Channels with events lately; the busiest of them are read more often. */
  activeChannels: number;
  /** Calls an hour that others take of a route: first readings, link proofs, rules, and people beyond their share. */
  takenOf?: (route: string) => number;
}

/** The shortest intervals, in seconds, however many calls are free. */
export const soonest = { events: 4, newest: 4, busy: 10, whole: 300 };
/** The number of busy channels is limited so that each is read at least this often, in seconds. */
const busyWithin = 300;
/** The share of the available calls that is planned. Pages, retries and readings out of turn need the rest. */
const planned = 0.9;
/** The minimum share that is planned whatever else goes on, so that reading never stops. */
const minPlanned = 0.1;
/** The share for complete readings of each channel in turn; the rest is for news. */
const forWhole = 1 / 3;

/** From this interval of complete readings on, in seconds, one account's budget no longer suffices for its channels. */
const tooRareReadings = 6 * 3600;

/** Divides the budget: each route has its own, and the tightest applies. */
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
  // With events, only complete readings use these routes; occasional other readings need the rest.
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

/** The longest delay until a change is noticed, in seconds: the interval between readings, plus the wait for a run. */
export function delaysOf(plan: ReadingPlan): { changes: number; busy: number; quiet: number } {
  const { changes, channels } = runEvery;
  return {
    changes: plan.byEvents ? plan.events + 1 : plan.newest + changes,
    // Others may become busy before a channel's turn comes.
    busy: plan.busyAtMost + channels,
    quiet: plan.whole + channels,
  };
}

/** Whether the channels should be divided between this bot account and another. */
export function needsAnotherAccount({ whole }: ReadingPlan): boolean {
  return whole >= tooRareReadings;
}

/** Seconds between two runs of poll-records, which reads the changes, and of poll-listings, which reads the channels. */
export const runEvery = { changes: 2, channels: 10 };
