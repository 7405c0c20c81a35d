import { confusableWith } from "../comparisons/confusable-with.ts";
import { textTests } from "../comparisons/text-tests.ts";
import { userEvents } from "../evaluate/occurrence.ts";
import { authorNames } from "../facts/author-names.ts";
import { readText } from "../text/rule-text.ts";
import { eventField, factField, notKnown, textCondition } from "./make-condition.ts";

const tests = [confusableWith, ...textTests];

/** The characters that names consist of, or are read as: hyphens also as spaces. */
const letters = {
  isPossible: (literal: string) => /^[a-z0-9 .-]*$/.test(literal),
  never: "never holds: names have only the letters a to z, digits, hyphens and dots, and no @",
};

/** The name that a user has just gained. */
export const name = textCondition({
  name: "name",
  called: "the name",
  events: ["username_proof.merged"],
  tests,
  ...letters,
  prefiltered: true,
  field: eventField(({ name }) => (name ? [name] : notKnown("the event is not about a name"))),
});

/** Any name that the author holds; for an author without names, no test holds. */
export const authorName = textCondition({
  name: "author.name",
  called: "the author's name",
  events: userEvents,
  tests,
  ...letters,
  field: factField(authorNames, (names) => names.map(readText)),
});
