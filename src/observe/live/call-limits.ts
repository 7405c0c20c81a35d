/** Calls to one route of the client API in ten seconds, and in an hour. */
interface RouteLimits {
  burst: number;
  hour: number;
}

export interface CallLimits {
  usual: RouteLimits;
  /** By a route's path, with its method in front if it writes ("POST /fc/channel-bans"). */
  routes: ReadonlyMap<string, RouteLimits>;
}

/** One call there covers all channels, so it is made every few seconds. */
export const eventsRoute = "/fc/channel-events";
/** Other routes that cover all channels with one call. */
export const routesOfAll: readonly string[] = [
  "/fc/channel-bans",
  "/fc/channel-restricted-users",
  "/fc/channel-invites",
  "/fc/moderated-casts",
];
/** Routes that need a call for each channel. */
export const routesOfChannel: readonly string[] = ["/v1/channel", "/fc/channel-members"];

/**
 * The live network publishes no limits; its client declares about 20 calls in ten seconds, and 500 to 1,000 an hour. These
 * are all below that.
 */
export const usualLimits: CallLimits = {
  usual: { burst: 18, hour: 450 },
  routes: new Map([[eventsRoute, { burst: 18, hour: 950 }]]),
};

export function limitsOf({ usual, routes }: CallLimits, route: string): RouteLimits {
  return routes.get(route) ?? usual;
}

/** The share of a route's limits reserved for calls that people wait for. */
const forPeople = 0.1;

/** Why the network is called, except for people with rights. /status shows the calls of each. */
export type Purpose =
  | "changes"
  | "channels"
  | "followers"
  | "links"
  | "roles"
  | "rules"
  | "acts"
  | "bulks"
  | "notices"
  | "visitors"
  | "doctor";

/** Calls with which rules judge an event. They wait for no limit, because the event is retried anyway. */
export const rulesPurpose = "rules";
/** The rules' own actions, such as the hides of a lockdown, and expired bans. */
export const actsPurpose = "acts";
/** Actions on many targets. */
export const bulksPurpose = "bulks";
/** Messages to people about actions against them, by the hundred after a raid. */
export const noticesPurpose = "notices";
/** Requests by people without rights in the server they ask in. */
export const visitorsPurpose = "visitors";

/** These never wait for a limit: their rows hold the time of the next try, and a waiting job would occupy a slot. */
export const failAtOnce: ReadonlySet<string> = new Set([
  rulesPurpose,
  actsPurpose,
  bulksPurpose,
  noticesPurpose,
  visitorsPurpose,
]);

/** A purpose's share of a route's calls. It cannot use more, however much is free. */
const parts: Readonly<Record<string, { burst: number; hour: number }>> = {
  [rulesPurpose]: { burst: 2 / 3, hour: 1 / 2 },
  [visitorsPurpose]: { burst: 1 / 3, hour: 1 / 4 },
};
/** These wait once this share of the ten-second limit is used, so that moderators do not run into the network's limit. */
const forOthers = 2 / 3;

/** The limits that apply to a call for this purpose: its own, and those for all calls together. */
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
  // A lockdown must not stop in the middle of a raid: only the network can stop it.
  if (purpose === actsPurpose) return { own, all: { ...background, hour: Infinity } };
  return { own, all: part ? { ...background, burst: atLeastOne(burst * forOthers) } : background };
}

function atLeastOne(calls: number): number {
  return Math.max(1, Math.floor(calls));
}

/** Calls an hour that are reserved for people. */
export function keptForPeople(limits: CallLimits, route: string): number {
  return limitsOf(limits, route).hour - backgroundLimitsOf(limits, route).hour;
}

/** The part of a route's limits that background tasks may use. */
export function backgroundLimitsOf(limits: CallLimits, route: string): RouteLimits {
  const { burst, hour } = limitsOf(limits, route);
  const keep = (calls: number) =>
    route === eventsRoute ? calls : Math.max(1, calls - Math.ceil(calls * forPeople));
  return { burst: keep(burst), hour: keep(hour) };
}
