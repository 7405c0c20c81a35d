import { expect, test } from "vitest";
import { parseSince } from "../../src/text/since.ts";

const at = (text: string) => Date.parse(text) / 1000;
const now = at("2026-11-23T21:30:00Z");

test.each([
  ["2h", "2026-11-23T19:30:00Z"],
  ["1d 12h", "2026-11-22T09:30:00Z"],
  ["20:00", "2026-11-23T20:00:00Z"],
  [" 21:30 utc", "2026-11-23T21:30:00Z"],
  ["23:15", "2026-11-22T23:15:00Z"],
  ["2026-11-20", "2026-11-20T00:00:00Z"],
  ["2026-11-20 8:05", "2026-11-20T08:05:00Z"],
  ["2026-11-20T08:05Z", "2026-11-20T08:05:00Z"],
])("%s is a moment of the past", (typed, expected) => {
  expect(parseSince(typed, now)).toBe(at(expected));
});

test.each(["", "now", "25:00", "12:60", "2026-02-30", "2026-13-01", "2026-11-24", "2026-11-23 22:00", "20"])(
  "%s is none",
  (typed) => expect(parseSince(typed, now)).toBeUndefined(),
);
