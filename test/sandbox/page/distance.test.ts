import fc from "fast-check";
import { expect, test } from "vitest";
import { describeDistance, untilOtherWords } from "../../../src/web/kit/distance.ts";

const now = Date.UTC(2026, 10, 23, 22);
const [minute, hour, day] = [60, 3600, 86_400];

test.each([
  [7 * day - 1, "in 7 days"],
  [hour - 1, "in 1 hour"],
  [72 * hour - 20 * minute, "in 3 days"],
  [12, "in 12 seconds"],
  [0, "now"],
  [-59, "59 seconds ago"],
  [-59.6, "1 minute ago"],
  [-89, "1 minute ago"],
  [-90, "2 minutes ago"],
  [-23.4 * hour, "23 hours ago"],
  [-23.6 * hour, "yesterday"],
  [-29.6 * day, "last month"],
  [-364 * day, "last year"],
])("%d seconds from now is %j: rounded, not cut", (distance, words) => {
  expect(describeDistance(now + distance * 1000, now)).toBe(words);
});

test("the words stay until it is time for others", () => {
  const distances = fc.double({ min: -1e8, max: 1e8, noNaN: true });
  fc.assert(
    fc.property(distances, (distance) => {
      const moment = now + Math.round(distance * 1000);
      const words = describeDistance(moment, now);
      const wait = untilOtherWords(moment, now);
      expect(wait).toBeGreaterThan(0);
      expect(describeDistance(moment, now + wait - 3)).toBe(words);
      expect(describeDistance(moment, now + wait + 2)).not.toBe(words);
    }),
    { numRuns: 2000 },
  );
});
