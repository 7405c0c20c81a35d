// @ts-nocheck
import { describe, expect, it } from "vitest";
import { lastRefresh, refreshWeekdays } from "../../../src/api/domain/reward-refresh.ts";

const hour = 3_600_000;
const week = 7 * 24 * hour;

describe.each([
  ["creators", Date.UTC(2023, 6, 4, 17), "Tue"],
  ["developers", Date.UTC(2023, 6, 5, 17), "Wed"],
] as const)("the winners of %s", (who, refresh, day) => {
  const weekday = refreshWeekdays[who];

  it.each([
    ["at the refresh itself", refresh, refresh],
    ["a millisecond before it", refresh - 1, refresh - week],
    ["a millisecond before the next", refresh + week - 1, refresh],
    ["days later", refresh + 100 * hour, refresh],
    ["at the first of all times", 0, -week + (weekday + 3) * 24 * hour + 17 * hour],
  ])("%s", (_, now, expected) => {
    expect(lastRefresh(now, weekday)).toBe(expected);
  });

  it("come out on their day, 17:00 UTC, whenever one asks", () => {
    for (let now = refresh; now < refresh + 2 * week; now += 7 * hour) {
      const last = lastRefresh(now, weekday);
      expect(new Date(last).toUTCString()).toMatch(new RegExp(`^${day}, .* 17:00:00 GMT$`));
      expect(now - last).toBeGreaterThanOrEqual(0);
      expect(now - last).toBeLessThan(week);
    }
  });
});

it("come out for a Sunday and a Thursday alike", () => {
  const noon = Date.UTC(2023, 6, 7, 12);
  expect(new Date(lastRefresh(noon, 0)).toUTCString()).toBe("Sun, 02 Jul 2023 17:00:00 GMT");
  expect(new Date(lastRefresh(noon, 4)).toUTCString()).toBe("Thu, 06 Jul 2023 17:00:00 GMT");
});
