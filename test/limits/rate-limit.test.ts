import { expect, test } from "vitest";
import { minutesToWait } from "../../src/limits/rate-limit.ts";

const limit = { max: 3, windowMs: 600_000 };
const now = 10_000_000;

test.each([
  ["none before", [], 0],
  ["fewer than the limit", [now - 2, now - 1], 0],
  ["as many as the limit, in any order", [now - 1, now - 540_000, now - 2], 1],
  ["more than the limit: two have to leave", [now - 540_000, now - 60_000, now - 2, now - 1], 9],
  ["as many, of which one leaves now", [now - 600_000, now - 2, now - 1], 0],
  ["as many, of which one leaves at once", [now - 599_999, now - 2, now - 1], 1],
])("%s", (_, times, minutes) => {
  expect(minutesToWait(times, limit, now)).toBe(minutes);
});
