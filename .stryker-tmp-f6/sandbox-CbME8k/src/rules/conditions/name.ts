// @ts-nocheck
import { unknown } from "../evaluate/condition.ts";
import { confusableWith } from "../comparisons/confusable-with.ts";
import { contains } from "../comparisons/contains.ts";
import { eq } from "../comparisons/eq.ts";
import { inList } from "../comparisons/in-list.ts";
import { isIn } from "../comparisons/in.ts";
import { matches } from "../comparisons/matches.ts";
import { ne } from "../comparisons/ne.ts";
import { startsWith } from "../comparisons/starts-with.ts";
import { textCondition } from "./text-condition.ts";

/** The name that a user has just taken. */
export const name = textCondition({
  name: "name",
  called: "the name",
  events: ["username_proof.merged"],
  tests: [confusableWith, contains, startsWith, matches, eq, ne, isIn, inList],
  indexed: true,
  read: ({ name }) => (name ? { texts: [name] } : unknown("the event is not about a name")),
});
