// @ts-nocheck
import { z } from "zod";
import { unknown } from "../evaluate/condition.ts";
import { userEvents } from "../evaluate/occurrence.ts";
import type { NeedsLists } from "../language/rule-list.ts";
import { Count, numberTests, type NumberTest } from "../comparisons/number-tests.ts";
import { numberCondition } from "./number-condition.ts";

const inList = {
  name: "in_list",
  schema: z.string().transform((name): NeedsLists<NumberTest> => ({
    uses: [{ name, types: ["fid"], path: [] }],
    withLists: ([list]) => {
      const fids = list?.type === "fid" ? list.fids : new Set<number>();
      return { holds: (fid) => fids.has(fid), sentence: `is in the list ${name}`, rising: false };
    },
  })),
};

/** The author's number. */
export const authorFid = numberCondition({
  name: "author.fid",
  called: "the author's fid",
  events: userEvents,
  tests: [...numberTests(Count), inList],
  read: ({ authorFid }) =>
    authorFid === null ? unknown("the author is not known") : { measured: authorFid },
});
