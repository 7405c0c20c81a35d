/** Calls to one route of the client API: in ten seconds, and in an hour. */
interface RouteLimits {
  burst: number;
  hour: number;
}

export interface CallLimits {
  usual: RouteLimits;
  /** By a route's path, with its method in front where it writes ("POST /fc/channel-bans"). */
  routes: ReadonlyMap<string, RouteLimits>;
}

/** One call there tells of all channels, so that it is asked every few seconds. */
export const eventsRoute = "/fc/channel-events";
/** What else one call reads of all channels at once. */
export const routesOfAll: readonly string[] = [
  "/fc/channel-bans",
  "/fc/channel-restricted-users",
  "/fc/channel-invites",
  "/fc/moderated-casts",
];
/** What each channel is asked for by itself. */
export const routesOfChannel: readonly string[] = ["/v1/channel", "/fc/channel-members"];

/**
 * The live network publishes no limits; its client declares some of the order of 20 in ten seconds, and from 500 to 1,000 an
 * hour. These are below, each.
 */
export const usualLimits: CallLimits = {
  usual: { burst: 18, hour: 450 },
  routes: new Map([[eventsRoute, { burst: 18, hour: 950 }]]),
};

export function limitsOf({ usual, routes }: CallLimits, route: string): RouteLimits {
  return routes.get(route) ?? usual;
}

/** Of what a route may take, so much stays free for what people wait for, of routes that people use. */
const forPeople = 0.1;

/** What rules ask to judge an event: there is always a next try, so it waits for no room. */
export const rulesPurpose = "rules";
/** What rules do, such as the hides of a lockdown. */
export const actsPurpose = "acts";
/** Actions on many targets. */
export const bulksPurpose = "bulks";
/** What people ask for who have no rights in the server that they ask in. */
export const visitorsPurpose = "visitors";

/** These wait for no limit: rows say when they are tried again, and a job that waited would keep a slot from others. */
export const failAtOnce: ReadonlySet<string> = new Set([
  rulesPurpose,
  actsPurpose,
  bulksPurpose,
  visitorsPurpose,
]);

/** A purpose's own part of a route's calls; the rest of the ten seconds or of the hour is not for it, however free it is. */
const parts: Readonly<Record<string, { burst: number; hour: number }>> = {
  [rulesPurpose]: { burst: 2 / 3, hour: 1 / 2 },
  [visitorsPurpose]: { burst: 1 / 3, hour: 1 / 4 },
};
/** Beyond so much of ten seconds' calls, whoever used them, these wait: what moderators do is not to meet the network's limit. */
const forOthers = 2 / 3;

/** What a call for this purpose has to find free: of its own, and of what all calls together use. */
export interface Room {
  own: RouteLimits;
  all: RouteLimits;
}

export function roomFor(limits: CallLimits, route: string, purpose: string | undefined): Room {
  const unlimited = { burst: Infinity, hour: Infinity };
  if (purpose === undefined) return { own: unlimited, all: unlimited };
  const { burst, hour } = limitsOf(limits, route);
  const part = parts[purpose];
  const own = part
    ? { burst: atLeastOne(burst * part.burst), hour: atLeastOne(hour * part.hour) }
    : unlimited;
  const background = backgroundLimitsOf(limits, route);
  // A lockdown is not to end in the middle of a raid: only the network ends it.
  if (purpose === actsPurpose) return { own, all: { ...background, hour: Infinity } };
  return { own, all: part ? { ...background, burst: atLeastOne(burst * forOthers) } : background };
}

function atLeastOne(calls: number): number {
  return Math.max(1, Math.floor(calls));
}

/** Calls that are kept free for people, in an hour. */
export function keptForPeople(limits: CallLimits, route: string): number {
  return limitsOf(limits, route).hour - backgroundLimitsOf(limits, route).hour;
}

/** What background tasks may take of it. */
export function backgroundLimitsOf(limits: CallLimits, route: string): RouteLimits {
  const { burst, hour } = limitsOf(limits, route);
  const keep = (calls: number) =>
    route === eventsRoute ? calls : Math.max(1, calls - Math.ceil(calls * forPeople));
  return { burst: keep(burst), hour: keep(hour) };
}
