// @ts-nocheck
import { expect, test } from "vitest";
import { parseDuration } from "../../src/text/duration.ts";

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
])("%j is %j seconds", (text, seconds) => {
  expect(parseDuration(text)).toBe(seconds);
});
