/** Calls to one route of the client API: in ten seconds, and in an hour. */
export interface RouteLimits {
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

/** What background tasks may take of it. */
export function backgroundLimitsOf(limits: CallLimits, route: string): RouteLimits {
  const { burst, hour } = limitsOf(limits, route);
  const keep = (calls: number) =>
    route === eventsRoute ? calls : Math.max(1, calls - Math.ceil(calls * forPeople));
  return { burst: keep(burst), hour: keep(hour) };
}
