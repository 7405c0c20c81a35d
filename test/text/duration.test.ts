import { expect, test } from "vitest";
import { describeLength, parseDuration, parseTypedDuration } from "../../src/text/duration.ts";

test.each([
  ["30m", 1800],
  ["7d", 604_800],
  ["1d 12h", 129_600],
  ["2W", 1_209_600],
  ["", undefined],
  ["0h", undefined],
  ["5", undefined],
  ["-1d", undefined],
  ["1d later", undefined],
  ["10000d", undefined],
  ["2 minutes", undefined],
])("%j is %j seconds", (text, seconds) => {
  expect(parseDuration(text)).toBe(seconds);
});

test.each([
  ["2 minutes", 120],
  ["1 hour 30 min", 5400],
  ["3 Days", 259_200],
  ["1 week 1 sec", 604_801],
  ["12h", 43_200],
  ["1 month", undefined],
  ["2 mins later", undefined],
])("typed %j is %j seconds", (text, seconds) => {
  expect(parseTypedDuration(text)).toBe(seconds);
});

test.each([
  [10, "10 seconds"],
  [3600, "1 hour"],
  [72 * 3600, "3 days"],
  [5400, "1 hour 30 minutes"],
  [129_601, "1 day 12 hours 1 second"],
])("%j seconds are %s, exactly", (seconds, words) => {
  expect(describeLength(seconds)).toBe(words);
  expect(parseTypedDuration(words)).toBe(seconds);
});
