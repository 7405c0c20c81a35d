import { eq } from "../tests/eq.ts";
import { isIn } from "../tests/in.ts";
import { matches } from "../tests/matches.ts";
import { textCondition } from "./text-condition.ts";

/** The name that a user has just taken. */
export const name = textCondition({
  name: "name",
  events: ["username_proof.merged"],
  tests: [eq, isIn, matches],
  read: (occurrence) => occurrence.name,
  absent: "the event is not about a name",
});
