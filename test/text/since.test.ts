import fc from "fast-check";
import { expect, test } from "vitest";
import { asAppError } from "../../src/errors.ts";
import { readSince, writeSince } from "../../src/text/since.ts";
import { fromLocal, readTimeZone, toLocal } from "../../src/text/time-zone.ts";

const at = (text: string) => Date.parse(text) / 1000;
const now = at("2026-11-23T21:30:00Z");

test.each([
  ["2h", "2026-11-23T19:30:00Z"],
  ["2026-11-23 20:00:30", "2026-11-23T20:00:30Z"],
  ["1d 12h", "2026-11-22T09:30:00Z"],
  ["2h ago", "2026-11-23T19:30:00Z"],
  ["1d 12h Ago", "2026-11-22T09:30:00Z"],
  ["20:00", "2026-11-23T20:00:00Z"],
  [" 21:30 utc", "2026-11-23T21:30:00Z"],
  ["23:15", "2026-11-22T23:15:00Z"],
  ["2026-11-20", "2026-11-20T00:00:00Z"],
  ["2026-11-20 8:05", "2026-11-20T08:05:00Z"],
  ["2026-11-20T08:05Z", "2026-11-20T08:05:00Z"],
  ["2026-11-20T08:05:00.000Z", "2026-11-20T08:05:00Z"],
  ["0001-01-01", "1970-01-01T00:00:00Z"],
])("%s is a moment of the past", (typed, expected) => {
  expect(readSince(typed, now)).toBe(at(expected));
});

test.each([
  ["20:00", "2026-11-22T23:00:00Z"],
  ["18:30", "2026-11-23T21:30:00Z"],
  ["20:00 UTC", "2026-11-23T20:00:00Z"],
  ["2h", "2026-11-23T19:30:00Z"],
  ["2026-11-20", "2026-11-20T03:00:00Z"],
  ["2026-11-20 8:05:30", "2026-11-20T11:05:30Z"],
  ["2026-11-20T08:05Z", "2026-11-20T08:05:00Z"],
  ["<t:1795460400:R>", "2026-11-23T19:00:00Z"],
  ["<t:1795460400>", "2026-11-23T19:00:00Z"],
])("%s is that moment by clocks in S\u00e3o Paulo", (typed, expected) => {
  expect(readSince(typed, now, "America/Sao_Paulo")).toBe(at(expected));
});

test.each([
  // Clocks went from 02:00 to 03:00.
  ["2026-03-29 01:59", "2026-03-29T00:59:00Z"],
  ["2026-03-29 02:30", "2026-03-29T01:30:00Z"],
  ["2026-03-29 03:00", "2026-03-29T01:00:00Z"],
  // Clocks went from 03:00 back to 02:00: the first 02:30, so that "since" leaves nothing out.
  ["2026-10-25 01:59", "2026-10-24T23:59:00Z"],
  ["2026-10-25 02:30", "2026-10-25T00:30:00Z"],
  ["2026-10-25 03:00", "2026-10-25T02:00:00Z"],
])("%s in Berlin, where clocks change", (typed, expected) => {
  expect(readSince(typed, now, "Europe/Berlin")).toBe(at(expected));
});

test.each([
  [" europe/berlin", "Europe/Berlin"],
  ["Asia/Kolkata", "Asia/Kolkata"],
  ["utc", "UTC"],
])("%j is the time zone %s", (typed, zone) => {
  expect(readTimeZone(typed)).toBe(zone);
});

test("a time in the future by the zone's clocks is refused, and the zone is named", () => {
  expect(() => readSince("2026-11-23 18:31", now, "America/Sao_Paulo")).toThrow(
    "That is in the future. Write it as 2h ago, 20:00 or 2026-11-23 20:00; times are those of America/Sao_Paulo.",
  );
  expect(readSince("2026-11-24 02:30", now, "Asia/Tokyo")).toBe(at("2026-11-23T17:30:00Z"));
  expect(() => readSince("<t:1895460400>", now)).toThrow("That is in the future.");
});

test("what is written is read as the same moment in every zone", () => {
  const zones = fc.constantFrom("UTC", ...Intl.supportedValuesOf("timeZone"));
  fc.assert(
    fc.property(fc.integer({ min: 0, max: now }), zones, (seconds, zone) => {
      expect(readSince(writeSince(seconds), now, zone)).toBe(seconds);
      // By a clock on the wall, the same or, where clocks were set back, the earlier of two.
      const read = fromLocal(toLocal(seconds, zone), zone);
      expect(read).toBeLessThanOrEqual(seconds);
      expect(toLocal(read, zone)).toBe(toLocal(seconds, zone));
    }),
  );
});

test.each([
  ["", "That is not a time in the past."],
  ["now", "`now` is not a time in the past."],
  ["20", "`20` is not a time in the past."],
  ["25:00", "There is no such time of day."],
  ["12:60", "There is no such time of day."],
  ["2026-11-20 24:00", "There is no such time of day."],
  ["2026-02-29", "There is no day 2026-02-29."],
  ["2026-02-30 10:00", "There is no day 2026-02-30."],
  ["2026-06-31", "There is no day 2026-06-31."],
  ["2026-13-01", "There is no day 2026-13-01."],
  ["2026-11-24", "That is in the future."],
  ["2026-11-23 22:00", "That is in the future."],
  ["3 May", "May is a month"],
  ["1M", "m is minutes; write 30d"],
])("%j is none: %s", (typed, why) => {
  expect(() => readSince(typed, now)).toThrow(why);
});

/** What is read, or the first sentence of the error. */
function readOr(typed: string): unknown {
  try {
    return readSince(typed, now);
  } catch (error) {
    return asAppError(error)?.message.split(".")[0];
  }
}

test("a day is taken exactly where its month has it, and it is over or has begun", () => {
  const days = fc.tuple(
    fc.integer({ min: 2024, max: 2028 }),
    fc.integer({ min: 0, max: 13 }),
    fc.integer({ min: 0, max: 32 }),
  );
  fc.assert(
    fc.property(days, ([year, month, day]) => {
      const typed = [year, String(month).padStart(2, "0"), String(day).padStart(2, "0")].join("-");
      const begins = new Date(Date.UTC(year, month - 1, day));
      const isReal = begins.getUTCMonth() === month - 1 && begins.getUTCDate() === day;
      const seconds = begins.getTime() / 1000;
      const past = seconds <= now ? seconds : "That is in the future";
      expect(readOr(typed)).toBe(isReal ? past : `There is no day ${typed}`);
    }),
  );
});
