import { describe, expect, it } from "vitest";
import { z } from "zod";
import { oneOf, showSome, type TestKind } from "../../../src/rules/comparisons/one-of.ts";
import { listNamed, RuleList } from "../../../src/rules/language/rule-list.ts";

interface Made {
  made: string;
}

const tests: TestKind<Made>[] = [
  { name: "is", schema: () => z.string().transform((made) => ({ made })) },
  {
    name: "listed",
    schema: (lists) =>
      listNamed(lists, "text").transform(({ name, list }) => ({ made: `${name} of ${list.texts.size}` })),
  },
];
const words = RuleList.parse({ type: "text", values: ["gm", "gn"] });
const schema = oneOf(tests, new Map([["words", words]]), ({ made }) => ({ shown: made }));
const issuesOf = (given: unknown) => schema.safeParse(given).error?.issues;

describe("one of several tests", () => {
  it("is made into what it is for", () => {
    expect(schema.parse({ is: "x" })).toEqual({ shown: "x" });
    expect(schema.parse({ is: "x", listed: undefined })).toEqual({ shown: "x" });
  });

  it("finds the lists that it names, and says where they are missing", () => {
    expect(schema.parse({ listed: "words" })).toEqual({ shown: "words of 2" });
    expect(issuesOf({ listed: "word" })).toMatchObject([
      { path: ["listed"], message: 'there is no list "word"; did you mean "words"?' },
    ]);
  });

  it.each([[{}], [{ is: "x", listed: "words" }]])("is wanted, and no more: %j", (given) => {
    expect(issuesOf(given)).toEqual([
      { code: "custom", message: "needs exactly one of is, listed", path: [] },
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
