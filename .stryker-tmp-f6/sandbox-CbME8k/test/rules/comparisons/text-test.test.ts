// @ts-nocheck
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { oneOf, showSome } from "../../../src/rules/comparisons/text-test.ts";
import type { NeedsLists } from "../../../src/rules/language/rule-list.ts";

interface Made {
  made: string;
}

const later = z.string().transform((name): NeedsLists<Made> => ({
  uses: [{ name, types: ["text"], path: [1] }],
  withLists: (lists) => ({ made: `${name} of ${lists.length}` }),
}));
const tests = [
  { name: "is", schema: z.string().transform((made): Made => ({ made })) },
  { name: "later", schema: later },
];
const schema = oneOf<Made, { shown: string }>(tests, ({ made }) => ({ shown: made }));
const issuesOf = (given: unknown) => schema.safeParse(given).error?.issues;

describe("one of several tests", () => {
  it("is made into what it is for", () => {
    expect(schema.parse({ is: "x" })).toEqual({ shown: "x" });
    expect(schema.parse({ is: "x", later: undefined })).toEqual({ shown: "x" });
  });

  it("waits for the lists that it names, and says where they stand", () => {
    const made = schema.parse({ later: "words" });
    if (!("uses" in made)) throw new Error("it did not wait");
    expect(made.uses).toEqual([{ name: "words", types: ["text"], path: ["later", 1] }]);
    expect(made.withLists([])).toEqual({ shown: "words of 0" });
  });

  it.each([[{}], [{ is: "x", later: "y" }]])("is wanted, and no more: %j", (given) => {
    expect(issuesOf(given)).toEqual([
      { code: "custom", message: "needs exactly one of is, later", path: [] },
    ]);
  });

  it("is not asked for again where a key is unknown", () => {
    expect(issuesOf({ was: "x" })?.map(({ message }) => message)).toEqual(['Unrecognized key: "was"']);
  });
});

describe("the first of many values", () => {
  it.each([
    [[], ""],
    [["a"], "a"],
    [[1, 2, 3, 4, 5], "1, 2, 3, 4, 5"],
    [[1, 2, 3, 4, 5, 6], "1, 2, 3, 4, 5, … (6)"],
  ])("%j are shown as %s", (values, shown) => {
    expect(showSome(values)).toBe(shown);
  });
});
