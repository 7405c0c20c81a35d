import fc from "fast-check";
import { expect, test } from "vitest";
import { formatExactDuration, parseDuration, whyNoDuration } from "../../src/text/duration.ts";

test.each([
  ["30m", 1800],
  ["7d", 604_800],
  ["1d 12h", 129_600],
  ["1d12h", 129_600],
  ["2W", 1_209_600],
  [" 12h ", 43_200],
  ["2 minutes", 120],
  ["1 hour 30 min", 5400],
  ["3 Days", 259_200],
  ["2 wks", 1_209_600],
  ["1 week 1 sec", 604_801],
])("%j is %j seconds", (text, seconds) => {
  expect(parseDuration(text)).toBe(seconds);
});

test.each([
  "",
  "0h",
  "5",
  "-1d",
  "1.5h",
  "1,5h",
  "1d later",
  "10000d",
  "1 000s",
  "m",
  "1d 1d",
  "５d",
  "2 mins later",
])("%j is no duration", (text) => expect(parseDuration(text)).toBeUndefined());

test.each([
  ["1M", "M is not a unit: m is minutes; write 30d for a month."],
  ["3 May", "May is a month, not a length of time; write 30m, 12h or 30d."],
  ["1 month", "Months differ in length; write 30d."],
  ["2mo", "Months differ in length; write 30d."],
  ["1y", "Years differ in length; write 365d."],
  ["5 win", undefined],
])("%j is refused with %j", (text, why) => {
  expect(parseDuration(text)).toBeUndefined();
  expect(whyNoDuration(text)).toBe(why);
});

const months =
  "january february march april may june july august september october november december jan feb mar apr jun jul aug sep sept oct nov dec".split(
    " ",
  );
const separator = fc.constantFrom(
  "",
  " ",
  "  ",
  "\u00a0",
  "-",
  "/",
  ".",
  ",",
  ", ",
  "th ",
  "th of ",
  "_",
  ":",
);
const inAnyCase = (word: string) =>
  fc.constantFrom(word, word.toUpperCase(), word.slice(0, 1).toUpperCase() + word.slice(1));

test("no month with a number next to it is a duration, and it is refused in words", () => {
  const dates = fc
    .tuple(
      fc.constantFrom(...months).chain(inAnyCase),
      fc.integer({ min: 0, max: 2030 }),
      separator,
      fc.boolean(),
    )
    .map(([name, number, between, first]) =>
      first ? `${name}${between}${number}` : `${number}${between}${name}`,
    );
  fc.assert(
    fc.property(dates, (text) => {
      expect(parseDuration(text)).toBeUndefined();
      const others = text.replaceAll(new RegExp(months.join("|"), "gi"), "");
      const why = whyNoDuration(text) ?? "";
      expect(/[a-z]/i.test(others) || why.includes("is a month"), text).toBe(true);
    }),
    { numRuns: 2000 },
  );
});

test("only whole words of units are units", () => {
  const known = new Map([
    ...["s", "sec", "secs", "second", "seconds"].map((word) => [word, 1] as const),
    ...["m", "min", "mins", "minute", "minutes"].map((word) => [word, 60] as const),
    ...["h", "hr", "hrs", "hour", "hours"].map((word) => [word, 3600] as const),
    ...["d", "day", "days"].map((word) => [word, 86_400] as const),
    ...["w", "wk", "wks", "week", "weeks"].map((word) => [word, 604_800] as const),
  ]);
  const nearWords = fc
    .array(
      fc.constantFrom("s", "m", "h", "d", "w", "ec", "in", "our", "ay", "eek", "ond", "ute", "rs", "k"),
      {
        minLength: 1,
        maxLength: 4,
      },
    )
    .map((parts) => parts.join(""));
  fc.assert(
    fc.property(nearWords, fc.constantFrom("", " ", "\t"), (word, between) => {
      const unit = known.get(word);
      expect(parseDuration(`3${between}${word}`)).toBe(unit === undefined ? undefined : 3 * unit);
    }),
    { numRuns: 2000 },
  );
});

test.each([
  [10, "10 seconds"],
  [3600, "1 hour"],
  [72 * 3600, "3 days"],
  [5400, "1 hour 30 minutes"],
  [129_601, "1 day 12 hours 1 second"],
])("%j seconds are %s, exactly", (seconds, words) => {
  expect(formatExactDuration(seconds)).toBe(words);
  expect(parseDuration(words)).toBe(seconds);
});
