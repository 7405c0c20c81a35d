import { expect, test } from "vitest";
import { simulateHour, type HourOptions } from "../live/simulated-hour.ts";

/** Less than the live network takes, for fewer channels; it refuses what is one call too many. */
const own = { burst: 18, hour: 120 };
const options: Omit<HourOptions, "servesEvents" | "seconds"> = {
  limits: { usual: own, routes: new Map([["/fc/channel-events", { burst: 18, hour: 950 }]]) },
  networkLimits: { ...own, events: 950 },
  channels: 30,
  busyChannels: 2,
  networkChannels: 40,
  warmUp: 30,
  rest: 60,
  changeEvery: { busy: 60, quiet: 900 },
};

test("where events tell of all channels, each change is in the room within five seconds, by a call each four", async () => {
  const { told, refused, failures, unexplained, routes } = await simulateHour({
    ...options,
    seconds: 300,
    servesEvents: true,
  });
  expect({ refused, failures, unexplained }).toEqual({ refused: 0, failures: [], unexplained: [] });
  expect(told.length).toBeGreaterThan(10);
  expect(told.filter(({ delay = Infinity }) => delay > 5)).toEqual([]);
  expect(routes.find(({ route }) => route === "GET /fc/channel-events")?.calls).toBeLessThanOrEqual(
    300 / 4 + 1,
  );
});

test("where none do, news of all channels come by one call, within what /status says, though many were linked in that hour", async () => {
  const { told, refused, failures, unexplained, routes, plan } = await simulateHour({
    ...options,
    seconds: 3400,
    servesEvents: false,
  });
  expect({ refused, failures, unexplained }).toEqual({ refused: 0, failures: [], unexplained: [] });
  expect(told.length).toBeGreaterThan(100);
  expect(told.filter(({ delay = Infinity, promised }) => delay > promised)).toEqual([]);
  const bans = routes.find(({ route }) => route === "GET /fc/channel-bans");
  expect(bans?.withoutChannel).toBeGreaterThanOrEqual(Math.floor((0.9 * 3400) / plan.newest));
});
