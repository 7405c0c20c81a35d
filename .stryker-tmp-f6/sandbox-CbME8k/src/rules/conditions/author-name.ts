// @ts-nocheck
import { unknown } from "../evaluate/condition.ts";
import { askAuthorNames } from "../facts/author-names.ts";
import { userEvents } from "../evaluate/occurrence.ts";
import { readText } from "../text/rule-text.ts";
import { confusableWith } from "../comparisons/confusable-with.ts";
import { contains } from "../comparisons/contains.ts";
import { eq } from "../comparisons/eq.ts";
import { inList } from "../comparisons/in-list.ts";
import { isIn } from "../comparisons/in.ts";
import { matches } from "../comparisons/matches.ts";
import { ne } from "../comparisons/ne.ts";
import { startsWith } from "../comparisons/starts-with.ts";
import { textCondition } from "./text-condition.ts";

/** A name that the author holds, any of several; for who holds none, no test holds. */
export const authorName = textCondition({
  name: "author.name",
  called: "the author's name",
  events: userEvents,
  tests: [confusableWith, contains, startsWith, matches, eq, ne, isIn, inList],
  asks: [askAuthorNames],
  read: (_occurrence, facts) => {
    const fact = facts.read(askAuthorNames);
    const { source, at } = fact;
    return fact.known ? { texts: fact.value.map(readText), source, at } : unknown(fact.why, { source, at });
  },
});
