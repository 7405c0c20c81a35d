import { describe, expect, it } from "vitest";
import { patternLimits, PatternText } from "../../../src/rules/text/pattern.ts";

const mistakeIn = (source: string) => {
  const parsed = PatternText.safeParse(source);
  return parsed.success ? undefined : parsed.error.issues.map(({ message }) => message).join("; ");
};

describe("a pattern", () => {
  it("keeps what was written, what it costs, and finds what it matches", () => {
    const pattern = PatternText.parse("(?i)claim.{0,20}airdrop");
    expect(pattern.source).toBe("(?i)claim.{0,20}airdrop");
    expect(pattern.matches("CLAIM your airdrop")).toBe(true);
    expect(pattern.matches("claim your prize")).toBe(false);
    expect(pattern.size).toBeGreaterThan(PatternText.parse("claim").size);
  });

  it.each([
    ["a(b", "not a valid pattern: missing closing ) at character 2"],
    ["a(b(c", "not a valid pattern: missing closing ) at character 4"],
    ["(a)(b", "not a valid pattern: missing closing ) at character 4"],
    ["([)]", "not a valid pattern: missing closing ) at character 1"],
    ["\\((a", "not a valid pattern: missing closing ) at character 3"],
    ["(\\)", "not a valid pattern: missing closing ) at character 1"],
    ["(a[(]", "not a valid pattern: missing closing ) at character 1"],
    ["a([b)]", "not a valid pattern: missing closing ) at character 2"],
    ["[**]a**", "not a valid pattern: invalid nested repetition operator at character 6"],
    ["\\Q**\\Ea**", "not a valid pattern: invalid nested repetition operator at character 8"],
    ["a)b", "not a valid pattern: unexpected ) at character 2"],
    ["(a))b", "not a valid pattern: unexpected ) at character 4"],
    ["[)]\\))", "not a valid pattern: unexpected ) at character 6"],
    ["a[b", "not a valid pattern: missing closing ] at character 2"],
    ["a**", "not a valid pattern: invalid nested repetition operator at character 2"],
    ["ab*c**", "not a valid pattern: invalid nested repetition operator at character 5"],
    ["*a", "not a valid pattern: missing argument to repetition operator at character 1"],
    ["a|*b*", "not a valid pattern: missing argument to repetition operator at character 3"],
    ["a\\", "not a valid pattern: trailing backslash at end of expression at character 2"],
    ["a{2}a{1001}", "not a valid pattern: invalid repeat count at character 6"],
    ["[z-a]", "not a valid pattern: invalid character class range at character 2"],
    ["(?P<n>a)(?P<n>b)", "not a valid pattern: duplicate capture group name at character 13"],
    ["((a{100}){100}){100}", "not a valid pattern: invalid repeat count at character 10"],
    ["x(?=y)", "not a valid pattern: lookahead and lookbehind are not supported at character 2"],
  ])("%s is refused: %s", (source, message) => {
    expect(mistakeIn(source)).toBe(message);
  });

  it("is refused as zod refuses what it is told to", () => {
    expect(PatternText.safeParse("a(").error?.issues).toEqual([
      { code: "custom", message: "not a valid pattern: missing closing ) at character 2", path: [] },
    ]);
  });

  it("may cost as much as the limit says, and no more", () => {
    const repeat = (count: number) => PatternText.safeParse(`a{${count}}`);
    const most = Array.from({ length: patternLimits.size }, (_, index) => patternLimits.size - index).find(
      (count) => repeat(count).success,
    );
    expect(repeat(most ?? 0).data?.size).toBe(patternLimits.size);
    expect(mistakeIn(`a{${(most ?? 0) + 1}}`)).toBe(
      "this pattern is too large (301 steps, at most 300): repeat less often",
    );
  });

  it("has one to 500 characters", () => {
    expect(PatternText.safeParse("").success).toBe(false);
    expect(PatternText.safeParse(`[${"a".repeat(498)}]`).success).toBe(true);
    expect(PatternText.safeParse(`[${"a".repeat(499)}]`).success).toBe(false);
  });
});
