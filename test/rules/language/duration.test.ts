import { describe, expect, it } from "vitest";
import { durationBetween, showSpan, Span } from "../../../src/rules/language/duration.ts";

const wanted = durationBetween("10s", "1d");
const messageOf = (text: string) => wanted.safeParse(text).error?.issues[0]?.message;

describe("a duration", () => {
  it.each([
    ["10s", 10],
    ["90s", 90],
    ["1h 30m", 5400],
    ["1d", 86_400],
    ["2 hours", 7200],
  ])("%s has %i seconds, and is kept as it is written", (text, seconds) => {
    expect(wanted.parse(text)).toEqual({ seconds, text });
  });

  it.each(["9s", "86401s", "2d"])("%s is out of bounds", (text) => {
    expect(wanted.safeParse(text).error?.issues).toEqual([
      { code: "custom", message: "must be between 10s and 1d", path: [] },
    ]);
  });

  it.each(["", "7", "7 dates", "-1h", "0s"])("%j is none", (text) => {
    expect(messageOf(text)).toBe('must be a number with s, m, h, d or w, such as "10m" or "7d"');
  });

  it("says what to write instead of months", () => {
    expect(messageOf("1M")).toMatch(/or "7d"\. M is not a unit: m is minutes; write 30d for a month$/);
  });

  it("is a quantity of seconds where numbers are compared", () => {
    expect(Span.parse("2h")).toEqual({ value: 7200, text: "2h" });
    expect(["1s", "3650d", "3651d"].map((text) => Span.safeParse(text).success)).toEqual([true, true, false]);
  });
});

describe("seconds in words", () => {
  it.each([
    [0, "0s"],
    [59, "59s"],
    [60, "1m"],
    [3599, "59m"],
    [3600, "1h"],
    [86_399, "23h"],
    [86_400, "1d"],
    [345_599, "3d"],
  ])("%i are %s", (seconds, shown) => {
    expect(showSpan(seconds)).toBe(shown);
  });
});
