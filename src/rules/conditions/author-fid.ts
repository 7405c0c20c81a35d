import { Count, numberTests, type NumberTest } from "../comparisons/number-tests.ts";
import type { TestKind } from "../comparisons/one-of.ts";
import { userEvents } from "../evaluate/occurrence.ts";
import { emptyList, listNamed } from "../language/rule-list.ts";
import { eventField, notKnown, numberCondition } from "./make-condition.ts";

const inList: TestKind<NumberTest> = {
  name: "in_list",
  schema: (lists) =>
    listNamed(lists, "fid").transform(({ name, list: { fids } }): NumberTest => ({
      holds: (fid) => fids.has(fid),
      sentence: `is in the list ${name}`,
      range: [-Infinity, Infinity],
      rising: false,
      ...(fids.size === 0 && { never: emptyList(name) }),
      lists: [name],
    })),
};

/** The author's fid. */
export const authorFid = numberCondition({
  name: "author.fid",
  called: "the author's fid",
  events: userEvents,
  least: 1,
  tests: [...numberTests(Count), inList],
  field: eventField(({ authorFid }) => authorFid ?? notKnown("the author is not known")),
});
