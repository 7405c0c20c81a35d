import { describe, expect, it } from "vitest";
import { Count, numberTests, orMore, type NumberTest } from "../../../src/rules/comparisons/number-tests.ts";

const read = (name: string, wanted: unknown) =>
  numberTests(Count)
    .find((test) => test.name === name)
    ?.schema(new Map())
    .safeParse(wanted);
const holdsFor = (test: NumberTest | undefined) => [1, 2, 3, 4, 5].filter((value) => test?.holds(value));

describe("a test of a number", () => {
  it.each([
    ["eq", 3, "is 3", [3], false],
    ["ne", 3, "is not 3", [1, 2, 4, 5], false],
    ["lt", 3, "is less than 3", [1, 2], false],
    ["lte", 3, "is at most 3", [1, 2, 3], false],
    ["gt", 3, "is more than 3", [4, 5], true],
    ["gte", 3, "is at least 3", [3, 4, 5], true],
    ["between", [2, 4], "is between 2 and 4", [2, 3, 4], false],
    ["between", [3, 3], "is between 3 and 3", [3], false],
    ["in", [5, 1], "is one of 5, 1", [1, 5], false],
    ["in", [1, 2, 3, 4, 5, 6], "is one of 1, 2, 3, 4, 5, … (6)", [1, 2, 3, 4, 5], false],
  ])("%s %j %s: holds for %j; rising: %s", (name, wanted, sentence, values, rising) => {
    const test = read(name, wanted)?.data;
    expect(test).toMatchObject({ sentence, rising });
    expect(holdsFor(test)).toEqual(values);
  });

  it("of a count wants so many or more", () => {
    expect(orMore(3)).toMatchObject({ sentence: "3 or more", rising: true });
    expect(holdsFor(orMore(3))).toEqual([3, 4, 5]);
  });

  it("has one of eight names", () => {
    expect(numberTests(Count).map(({ name }) => name)).toEqual([
      "eq",
      "ne",
      "lt",
      "lte",
      "gt",
      "gte",
      "between",
      "in",
    ]);
  });

  it.each([
    ["eq", -1],
    ["eq", 1.5],
    ["between", [1]],
    ["in", []],
    ["in", Array(1001).fill(1)],
  ])("%s refuses what is none: %#", (name, wanted) => {
    expect(read(name, wanted)?.success).toBe(false);
  });

  it("takes zero and a thousand values, and says which way round two of them go", () => {
    expect(read("eq", 0)?.success).toBe(true);
    expect(read("in", Array(1000).fill(1))?.success).toBe(true);
    expect(read("between", [4, 2])?.error?.issues).toEqual([
      { code: "custom", message: "must be the smaller, then the larger", path: [] },
    ]);
  });
});
