import { unknown } from "../condition.ts";
import { askAuthorNames } from "../facts/author-names.ts";
import { userEvents } from "../occurrence.ts";
import { readText } from "../rule-text.ts";
import { confusableWith } from "../tests/confusable-with.ts";
import { contains } from "../tests/contains.ts";
import { eq } from "../tests/eq.ts";
import { inList } from "../tests/in-list.ts";
import { isIn } from "../tests/in.ts";
import { matches } from "../tests/matches.ts";
import { ne } from "../tests/ne.ts";
import { startsWith } from "../tests/starts-with.ts";
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
