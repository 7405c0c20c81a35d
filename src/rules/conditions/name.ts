import { unknown } from "../condition.ts";
import { confusableWith } from "../tests/confusable-with.ts";
import { contains } from "../tests/contains.ts";
import { eq } from "../tests/eq.ts";
import { inList } from "../tests/in-list.ts";
import { isIn } from "../tests/in.ts";
import { matches } from "../tests/matches.ts";
import { ne } from "../tests/ne.ts";
import { startsWith } from "../tests/starts-with.ts";
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
